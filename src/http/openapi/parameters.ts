// The parameters of operations, in the API description.

import type { Operator } from "../../../db/list/where.ts";
import { exampleIdOf } from "../../base/examples.ts";
import type { FilterRule } from "../../base/members.ts";
import type { FilterRules } from "../../base/resource.ts";
import { MAX_NOTE_CHARACTERS } from "../../events/record.ts";
import { type AnyEndpoint, formatsOf, keepsReplies } from "../endpoint.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_VALUES, nameOf, operatorsOf } from "../list-query.ts";
import { takesOpenBody } from "../unknown-members.ts";
import { CURRENT_VERSION, MAX_WAIT_SECONDS } from "../wire/request-headers.ts";
import { queryParameters } from "./files.ts";
import type { NamedSchemas } from "./schemas.ts";

export function parametersOf(endpoint: AnyEndpoint, schemas: NamedSchemas): object[] {
  const list: object[] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => {
    const example = name === "language" ? "de" : exampleIdOf(endpoint.path);
    return {
      name,
      in: "path",
      required: true,
      description:
        name === "language"
          ? "A language, as BCP 47 names it"
          : "A UUID, in either case. Any other text is an unknown id.",
      schema: { type: "string" },
      ...(example && { example }),
    };
  });
  if (endpoint.filters)
    list.push(
      ...listParameters(
        endpoint.filters,
        formatsOf(endpoint)!.includes("json") && !endpoint.hasNoPages,
        endpoint.sorts,
      ),
    );
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

const MEANINGS: Record<Operator, string> = {
  eq: "Only this value.",
  ne: "Any value but this one, also null.",
  in: "Only one of these values.",
  nin: "None of these values; also null.",
  gte: "This time or later.",
  lt: "Before this time.",
  startsWith: "Only values that begin with this text.",
  matches:
    "Only those who have all of these words, or words that begin with them, in any order, without regard to case and accents.",
};

/** The parameters of a list with these filters, which can be sorted by any of `sorts`. @param hasPages whether it comes as JSON */
function listParameters(filters: FilterRules, hasPages: boolean, sorts: readonly string[] = []): object[] {
  const wholeNumber = (minimum: number, extra: object) => ({ type: "integer", minimum, ...extra });
  const query = (name: string, description: string, schema: object, more: object = {}) => ({
    name,
    in: "query",
    description,
    schema,
    ...more,
  });
  const pages = [
    query("pagination[offset]", "How many items to leave out. JSON only.", wholeNumber(0, { default: 0 })),
    query(
      "pagination[limit]",
      `A limit above ${MAX_LIMIT} is lowered to ${MAX_LIMIT}. JSON only.`,
      wholeNumber(1, { default: DEFAULT_LIMIT }),
    ),
  ];
  const list = hasPages ? pages : [];
  for (const [name, rule] of Object.entries(filters)) {
    const field = nameOf(name, rule);
    const value = valueSchema(rule.values);
    const keyed = "by" in rule ? "" : " Write a key instead of `{key}`.";
    const meanings = { ...MEANINGS, ...("more" in rule && rule.more) } as Record<string, string>;
    for (const operator of operatorsOf(rule)) {
      const parameter = `filter[${field}][${operator}]`;
      const meaning = `${meanings[operator]}${keyed}`;
      if (operator !== "in" && operator !== "nin") list.push(query(parameter, meaning, value));
      else {
        const several = { type: "array", items: value, maxItems: MAX_VALUES };
        list.push(query(`${parameter}[]`, meaning, several, { style: "form", explode: true }));
      }
    }
  }
  if (sorts.length) {
    const order = "The member to sort by. A minus before it: in descending order.";
    list.push(query("sort", order, { type: "string", enum: sorts, default: sorts[0] }));
  }
  return list;
}

function valueSchema(values: FilterRule["values"]): object {
  if (values === "uuid") return { type: "string", format: "uuid" };
  if (values === "text" || values === "search") return { type: "string" };
  if (values === "number") return { type: "integer", minimum: 0 };
  if (values === "timestamp" || values === "milliseconds") return { type: "string", format: "date-time" };
  return { type: "string", enum: values };
}
