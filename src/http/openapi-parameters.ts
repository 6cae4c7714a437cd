// The parameters of operations, in the API description.

import { MAX_NOTE_CHARACTERS } from "../events/record.ts";
import { exampleIdOf } from "../examples.ts";
import { CURRENT_VERSION } from "./api-version.ts";
import { type AnyEndpoint, formatsOf } from "./endpoint.ts";
import { listParameters } from "./list-parameters.ts";
import { queryParameters } from "./openapi-files.ts";
import type { NamedSchemas } from "./openapi-schemas.ts";
import { MAX_WAIT_SECONDS } from "./preferences.ts";

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
  if (endpoint.method === "post") {
    header(
      "Idempotency-Key",
      "For 24 hours, the same request with this key gets the first reply again. Another request with it: 422.",
      { type: "string", minLength: 1, maxLength: 255 },
    );
  }
  if (endpoint.method !== "get") {
    header("X-Action-Note", "Why: kept with the events of the write, for whoever reads `/events`. In UTF-8.", {
      type: "string",
      maxLength: MAX_NOTE_CHARACTERS,
    });
  }
  for (const [name, description] of Object.entries(endpoint.headers ?? {}))
    header(name, description, { type: "string" });
  if (endpoint.isJob) {
    header(
      "Prefer",
      `\`respond-async\`: answer 202 at once. \`wait=N\`: wait up to N seconds for the job, at most ${MAX_WAIT_SECONDS}, then answer 202 (RFC 7240).`,
      { type: "string" },
    );
  }
  return list;
}
