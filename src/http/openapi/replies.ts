// The replies of operations, in the API description: successes, and problems by status.

import * as v from "valibot";
import { meaningOf, type ProblemCode, statusOf } from "../../base/problems.ts";
import { JobReference, problemEntries } from "../../base/schemas.ts";
import { type AnyEndpoint, type Documented, formatsOf, keepsReplies } from "../endpoint.ts";
import { examplesAs } from "../example.ts";
import { takesOpenBody } from "../unknown-members.ts";
import { MEDIA_TYPES } from "../wire/formats.ts";
import { FILES_OF_LISTS } from "./files.ts";
import { type HeaderName, headersOf } from "./headers.ts";
import type { NamedSchemas } from "./schemas.ts";

const Problem = v.pipe(v.object({ ...problemEntries, requestId: v.string() }), v.title("Problem"));

/** The 202 of every endpoint whose work is a job. The schema of Job is added by the endpoints of jobs. */
const ACCEPTED: Documented = {
  description: "The job, because it has not ended within the waiting time",
  schema: JobReference,
  headers: { Location: "The path of the job" },
};

export function repliesOf(endpoint: AnyEndpoint, schemas: NamedSchemas): object {
  return { ...successes(endpoint, schemas), ...failures(endpoint, schemas) };
}

function successes(endpoint: AnyEndpoint, schemas: NamedSchemas): object {
  const formats = formatsOf(endpoint) ?? ["json"];
  const replies = { ...endpoint.replies, ...(endpoint.isJob && { 202: ACCEPTED }) };
  return Object.fromEntries(
    Object.entries(replies).map(([status, { description, schema, headers = {} }]) => {
      const more = headersOfAny(endpoint);
      if ((status === "202" && endpoint.isJob) || status === "503") more.push("Retry-After");
      if (formats.includes("csv")) more.push("Content-Disposition");
      return [
        status,
        {
          description,
          headers: headersOf(more, headers),
          ...(schema && {
            content: Object.fromEntries(
              formats.map((format, index) => [
                MEDIA_TYPES[format],
                {
                  schema: format === "json" ? schemas.add(schema, "output") : FILES_OF_LISTS[format],
                  ...(index === 0 &&
                    examplesAs(endpoint, (example) => (example.status === Number(status) ? example.reply : undefined))),
                },
              ]),
            ),
          }),
        },
      ];
    }),
  );
}

/** The headers of an endpoint that its successes and its problems may have. */
function headersOfAny(endpoint: AnyEndpoint): HeaderName[] {
  const { isJob } = endpoint;
  const isKept = keepsReplies(endpoint);
  return [
    ...(endpoint.deprecated ? (["Deprecation", "Sunset"] as const) : []),
    ...(["RateLimit", "RateLimit-Policy"] as const),
    ...(isKept ? (["Idempotency-Replayed"] as const) : []),
    ...(isKept && isJob ? (["Idempotency-Superseded-By"] as const) : []),
    ...(isJob || takesOpenBody(endpoint) ? (["Preference-Applied"] as const) : []),
    ...(isJob ? (["Job-Warnings", "Link"] as const) : []),
    ...(takesOpenBody(endpoint) ? (["Warning-Members"] as const) : []),
  ];
}

/** The headers of a problem, by its status. */
const OF_FAILURES: Partial<Record<number, readonly (HeaderName | `${HeaderName}?`)[]>> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate?"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

function failures(endpoint: AnyEndpoint, schemas: NamedSchemas): object {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(endpoint))
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  const schema = schemas.add(Problem, "output");
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !endpoint.replies[status])
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join("\n\n"),
          headers: headersOf([
            ...(codes.includes("job_not_finished") ? (["Retry-After?"] as const) : (OF_FAILURES[status] ?? [])),
            ...headersOfAny(endpoint),
          ]),
          content: { "application/problem+json": { schema } },
        },
      ]),
  );
}

/** Every problem that an endpoint can answer with. */
export function problemsOf(endpoint: AnyEndpoint): ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_request", "unsupported_api_version"];
  if (!endpoint.isPublic)
    codes.push("unauthenticated", "insufficient_scope", "workspace_suspended", "too_many_requests");
  codes.push("not_acceptable");
  if (endpoint.body) codes.push("body_too_large", "request_timeout", "unsupported_media_type");
  if (keepsReplies(endpoint)) codes.push("idempotency_key_reused");
  if (endpoint.isConditional) codes.push("precondition_failed");
  if (endpoint.isJob) codes.push("job_cancelled", "job_crashed");
  // A job that deletes has no result.
  if (endpoint.isJob && endpoint.method !== "delete" && !endpoint.deletes) codes.push("result_too_large");
  codes.push(
    ...endpoint.problems,
    "headers_too_large",
    "internal_error",
    "store_busy",
    "store_full",
    "store_migrating",
    "store_unavailable",
    "workspace_moving",
    "cell_away",
  );
  return codes;
}
