// The headers of replies, in the API description.

import { MAX_WAIT_SECONDS } from "../wire/request-headers.ts";

interface Header {
  description: string;
  required?: true;
  schema: object;
}

const text = { type: "string" };

const usual = {
  "X-Request-Id": {
    description:
      "The request's id: the caller's own, if it is a sane one; else that of its `traceparent`, or a new one. The service's log has it, too.",
    required: true,
    schema: text,
  },
  "X-Service-Api-Version": { description: "The version of the API that answered.", required: true, schema: text },
  "Retry-After": {
    description: "After how many seconds to try again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  RateLimit: {
    description:
      'What is left of the limit: `"<name>";r=<left>;t=<seconds>`. Of `read-time` in ms of a processor; it limits reads only while other workspaces send requests.',
    schema: text,
  },
  "RateLimit-Policy": { description: 'The limit: `"<name>";q=<limit>;w=<seconds>`.', schema: text },
  "WWW-Authenticate": { description: "A way to authenticate.", required: true, schema: text },
  "Preference-Applied": {
    description: `The preference of \`Prefer\` that was used: \`respond-async\`, \`wait=N\` with N up to ${MAX_WAIT_SECONDS}, or \`handling=strict\`. Absent if none was.`,
    schema: text,
  },
  "Warning-Members": {
    description:
      'The members of the body that are not known and were ignored, as a list (RFC 9651): `emial; did-you-mean="email"`. Absent if there were none.',
    schema: text,
  },
  "Idempotency-Replayed": {
    description: "`true` if an earlier request with the same Idempotency-Key had this reply first.",
    schema: { type: "string", enum: ["true"] },
  },
  "Idempotency-Superseded-By": {
    description:
      "Only of an import that is replayed: the id of the first later import or undo for the same screener that was applied, or is " +
      "about to be. What the replay shows may not be so any more. To import it again, send it with a new Idempotency-Key.",
    schema: { type: "string", format: "uuid" },
  },
  "Job-Warnings": {
    description: "How many warnings the job has whose result or problem this is. Absent if it has none.",
    schema: { type: "integer", minimum: 1 },
  },
  Link: { description: 'The path of the job, as `rel="monitor"`, beside `Job-Warnings`.', schema: text },
  "Content-Disposition": { description: "Only of a file, such as CSV: the name to save it under.", schema: text },
} as const satisfies Record<string, Header>;

const OF_DEPRECATED = {
  Deprecation: {
    description: "Since when this is deprecated: `@<seconds>` since 1970 (RFC 9745).",
    required: true,
    schema: text,
  },
  Sunset: { description: "From when on this may be gone (RFC 8594).", schema: text },
} as const satisfies Record<string, Header>;

const described = { ...usual, ...OF_DEPRECATED };

export type HeaderName = keyof typeof described;

/** @param isAnyDeprecated whether the API has anything that is going to end */
export const headerComponentsOf = (isAnyDeprecated: boolean): Record<string, Header> =>
  isAnyDeprecated ? described : usual;

/**
 * These headers, and those of every reply. A name with `?` is a header that only some of the replies have, of an
 * endpoint's `own` headers (name and description), too.
 */
export function headersOf(names: readonly (HeaderName | `${HeaderName}?`)[], own: Record<string, string> = {}): object {
  const headers: Record<string, object> = {};
  for (const [name, description] of Object.entries(own)) {
    const plain = name.replace(/\?$/, "");
    headers[plain] = { description, ...(plain === name && { required: true }), schema: text };
  }
  for (const name of ["X-Request-Id", "X-Service-Api-Version", ...names] as const) {
    const plain = name.replace(/\?$/, "") as HeaderName;
    if (plain in headers) continue;
    const { description, schema } = described[plain];
    headers[plain] = plain === name ? { $ref: `#/components/headers/${plain}` } : { description, schema };
  }
  return headers;
}
