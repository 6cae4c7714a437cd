// The parameters of operations, in the API description.

import type { Operator } from "../../db/list-where.ts";
import { exampleIdOf } from "../examples.ts";
import type { FilterRules } from "../resource.ts";
import { CURRENT_VERSION } from "./api-version.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_VALUES } from "./list-query.ts";
import { examplesAs } from "./openapi-replies.ts";
import { MAX_WAIT_SECONDS } from "./preferences.ts";

export function parametersOf(endpoint: AnyEndpoint): object[] {
  const example = exampleIdOf(endpoint.path);
  const list: object[] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "A UUID in lower case. Any other text is an unknown id.",
    schema: { type: "string" },
    ...(example && { example }),
  }));
  if (endpoint.filters) list.push(...listParameters(endpoint.filters));
  const header = (name: string, description: string, schema: object) =>
    list.push({
      name,
      in: "header",
      description,
      schema,
      ...examplesAs(endpoint, ({ headers }) => headers?.[name]),
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

const MEANINGS: Record<Operator, string> = {
  eq: "Only this value.",
  ne: "Any value but this one, also null.",
  in: "Only one of these values.",
  nin: "None of these values; also null.",
};

function listParameters(filters: FilterRules): object[] {
  const wholeNumber = (minimum: number, extra: object) => ({ type: "integer", minimum, ...extra });
  const query = (name: string, description: string, schema: object, more: object = {}) => ({
    name,
    in: "query",
    description,
    schema,
    ...more,
  });
  const list = [
    query("pagination[offset]", "How many items to leave out. JSON only.", wholeNumber(0, { default: 0 })),
    query(
      "pagination[limit]",
      `A limit above ${MAX_LIMIT} is lowered to ${MAX_LIMIT}. JSON only.`,
      wholeNumber(1, { default: DEFAULT_LIMIT }),
    ),
  ];
  for (const [field, { operators, values }] of Object.entries(filters)) {
    const value =
      values === "uuid"
        ? { type: "string", format: "uuid" }
        : values === "text"
          ? { type: "string" }
          : { type: "string", enum: values };
    for (const operator of operators) {
      const name = `filter[${field}][${operator}]`;
      if (operator === "eq" || operator === "ne") list.push(query(name, MEANINGS[operator], value));
      else {
        const several = { type: "array", items: value, maxItems: MAX_VALUES };
        list.push(query(`${name}[]`, MEANINGS[operator], several, { style: "form", explode: true }));
      }
    }
  }
  return list;
}
