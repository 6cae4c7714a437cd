// The query parameters of lists, as the API description shows them.

import type { Operator } from "../../../db/list/where.ts";
import type { FilterRule } from "../../base/members.ts";
import type { FilterRules } from "../../base/resource.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_VALUES, nameOf } from "../list-query.ts";

const MEANINGS: Record<Operator, string> = {
  eq: "Only this value.",
  ne: "Any value but this one, also null.",
  in: "Only one of these values.",
  nin: "None of these values; also null.",
  gte: "This time or later.",
  lt: "Before this time.",
  startsWith: "Only values that begin with this text.",
};

/** The parameters of a list with these filters, which can be sorted by any of `sorts`. @param hasPages whether it comes as JSON */
export function listParameters(filters: FilterRules, hasPages: boolean, sorts: readonly string[] = []): object[] {
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
    const keyed = "byKey" in rule ? " Write a key instead of `{key}`." : "";
    for (const operator of rule.operators) {
      const parameter = `filter[${field}][${operator}]`;
      const meaning = `${MEANINGS[operator]}${keyed}`;
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
  if (values === "text") return { type: "string" };
  if (values === "timestamp" || values === "milliseconds") return { type: "string", format: "date-time" };
  return { type: "string", enum: values };
}
