// The parameters of operations, in the API description.

import { exampleIdOf } from "../../base/examples.ts";
import { MAX_NOTE_CHARACTERS } from "../../events/record.ts";
import { type AnyEndpoint, formatsOf, keepsReplies } from "../endpoint.ts";
import { takesOpenBody } from "../unknown-members.ts";
import { CURRENT_VERSION } from "../wire/api-version.ts";
import { MAX_WAIT_SECONDS } from "../wire/preferences.ts";
import { queryParameters } from "./files.ts";
import { listParameters } from "./list-parameters.ts";
import type { NamedSchemas } from "./schemas.ts";

export function parametersOf(endpoint: AnyEndpoint, schemas: NamedSchemas): object[] {
  const example = exampleIdOf(endpoint.path);
  const list: object[] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "A UUID, in either case. Any other text is an unknown id.",
    schema: { type: "string" },
    ...(example && { example }),
  }));
  if (endpoint.filters)
    list.push(...listParameters(endpoint.filters, formatsOf(endpoint)!.includes("json"), endpoint.sorts));
  if (endpoint.parameters) list.push(...queryParameters(endpoint, (schema) => schemas.add(schema, "input")));
  const header = (name: string, description: string, schema: object) =>
    list.push({
      name,
      in: "header",
      description,
      schema,
    });
  header("X-Service-Api-Version", "MAJOR.MINOR.PATCH. Default: the current version.", {
    type: "string",
    pattern: "^1\\.\\d+\\.\\d+$",
    examples: [CURRENT_VERSION],
  });
  if (keepsReplies(endpoint)) {
    header(
      "Idempotency-Key",
      "For 24 hours, the same request with this key gets the first reply again. Another request with it: 422.",
      { type: "string", minLength: 1, maxLength: 255 },
    );
  }
  if (endpoint.method !== "get" && !endpoint.readsOnly) {
    header("X-Action-Note", "Why: kept with the events of the write, for the readers of `/events`. In UTF-8.", {
      type: "string",
      maxLength: MAX_NOTE_CHARACTERS,
    });
  }
  if (endpoint.isConditional) {
    header(
      "If-Match",
      "The ETag of what is to be changed, as GET shows it. If it is another now: 412, and nothing is changed.",
      {
        type: "string",
      },
    );
  }
  for (const [name, description] of Object.entries(endpoint.headers ?? {}))
    header(name, description, { type: "string" });
  const preferences = [
    endpoint.isJob &&
      `\`respond-async\`: answer 202 at once. \`wait=N\`: wait up to N seconds for the job, at most ${MAX_WAIT_SECONDS}, then answer 202.`,
    takesOpenBody(endpoint) &&
      "`handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it.",
  ].filter((text) => text);
  if (preferences.length) header("Prefer", `${preferences.join(" ")} (RFC 7240)`, { type: "string" });
  return list;
}
