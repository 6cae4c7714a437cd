// What rules of filters say of a filter that was sent: the column that it compares, and the values as that has them.

import type { FilterColumn } from "../../db/list/where.ts";
import type { AnyFilterRule, FilterRule } from "./members.ts";

/** Whether the endpoint itself handles a filter with this operator. */
export function isHandled(rule: AnyFilterRule, operator: string): boolean {
  return "more" in rule && rule.more !== undefined && Object.hasOwn(rule.more, operator);
}

/** The column that a filter names; undefined if the rule takes no key, or needs one. */
export function columnOf(rule: AnyFilterRule, key: string | undefined): FilterColumn | undefined {
  if ("byKey" in rule) return key ? rule.byKey(key) : undefined;
  return "by" in rule && key === undefined ? rule.by : undefined;
}

/** The values as the column has them. */
export function storedValues(values: string[], rule: AnyFilterRule): string[] {
  if ("byKey" in rule) return values.flatMap((value) => rule.stored(value));
  return "by" in rule ? values.map((value) => storedValue(value, rule)) : values;
}

/** The value as the column has it. */
function storedValue(value: string, { values }: FilterRule): string {
  if (values === "uuid") return value.toLowerCase();
  if (values === "timestamp") return readTimestamp(value)?.toISOString() ?? value;
  if (values === "milliseconds") return String(readTimestamp(value)?.getTime() ?? value);
  return value;
}

/** Reads a time of RFC 3339. Fractions of a millisecond are rounded up, so that `gte` and `lt` stay exact. */
export function readTimestamp(text: string): Date | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d)$/.exec(text);
  const time = match ? Date.parse(text) : Number.NaN;
  if (!match || Number.isNaN(time)) return undefined;
  const [, day = "", fraction = ""] = match;
  // Date.parse takes 31 February for 3 March.
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return undefined;
  const date = new Date(/[1-9]/.test(fraction.slice(3)) ? time + 1 : time);
  return date.toISOString().length === 24 ? date : undefined;
}
