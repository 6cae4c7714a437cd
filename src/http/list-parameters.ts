// The query parameters of lists, as the API description shows them.

import type { FilterRule } from "../members.ts";
import type { FilterRules } from "../resource.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_VALUES, nameOf } from "./list-query.ts";

/** The parameters of a list with these filters, which can be sorted by any of `sorts`. */
export function listParameters(filters: FilterRules, sorts: readonly string[] = []): object[] {
  const wholeNumber = (minimum: number, extra: object) => ({ type: "integer", minimum, ...extra });
  const query = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });
  const list = [
    query("pagination[offset]", wholeNumber(0, { default: 0 }), { description: "JSON only." }),
    query("pagination[limit]", wholeNumber(1, { default: DEFAULT_LIMIT }), {
      description: `A limit above ${MAX_LIMIT} is lowered to ${MAX_LIMIT}. JSON only.`,
    }),
  ];
  for (const [name, rule] of Object.entries(filters)) {
    const field = nameOf(name, rule);
    const value = valueSchema(rule.values);
    const keyed = "byKey" in rule ? { description: "Put a key in place of `{key}`." } : {};
    for (const operator of rule.operators) {
      if (operator !== "in" && operator !== "nin") list.push(query(`filter[${field}][${operator}]`, value, keyed));
      else {
        list.push(
          query(
            `filter[${field}][${operator}][]`,
            { type: "array", items: value, maxItems: MAX_VALUES },
            { style: "form", explode: true, ...keyed },
          ),
        );
      }
    }
  }
  if (sorts.length) list.push(query("sort", { type: "string", enum: sorts, default: sorts[0] }));
  return list;
}

function valueSchema(values: FilterRule["values"]): object {
  if (values === "uuid") return { type: "string", format: "uuid" };
  if (values === "text") return { type: "string" };
  if (values === "timestamp" || values === "milliseconds") return { type: "string", format: "date-time" };
  return { type: "string", enum: values };
}
