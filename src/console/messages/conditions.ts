// To whom a message goes, by the filters of the table of answers: as the form has them, and as the API takes them.

import type { NewMailing } from "../../client/types.ts";
import { instantIn } from "../../nouns/screeners/time-zones.ts";
import { type AskedFilter, isList, valuesIn } from "../filters/asked.ts";
import { dayOf, type FilterField } from "../filters/filter-words.ts";
import type { Faults } from "../shell/faults.ts";

/** A condition on an attribute, an answer or a session. */
export interface TypedCondition {
  /** As the table of answers is filtered by: `attributes.<key>`, `answers.<key>`, `outcome`. */
  field: string;
  operator: string;
  value: string;
}

/** How many a form has. */
export const MAX_CONDITIONS = 20;

type Filters = NonNullable<NonNullable<NewMailing["to"]>["filter"]>;

/** What people can be chosen by, and the time zone of the study. */
interface Choosing {
  by: readonly FilterField[];
  timeZone: string;
}

/** Attributes are asked of everybody, the rest of those who have begun. @param fields gets the fields of the conditions */
export function filtersOf(conditions: readonly TypedCondition[], fields: Map<string, string>, choosing: Choosing) {
  const filters: { attributes?: Filters; filter?: Filters } = {};
  const faults: Faults = {};
  for (const [index, { field, operator: sent, value }] of conditions.entries()) {
    const attribute = /^attributes\.(.+)$/s.exec(field)?.[1];
    const [of, key] = attribute === undefined ? (["filter", field] as const) : (["attributes", attribute] as const);
    const [operator = "", fixed] = sent.split(":");
    const name = `value-${index}`;
    fields.set(`/to/${of}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/${operator}`, name);
    filters[of] ??= {};
    filters[of][key] ??= {};
    const ofKey = filters[of][key];
    if (Object.hasOwn(ofKey, operator)) faults[name] = "says the same twice: take “is one of”, with commas";
    const known = choosing.by.find((one) => one.field === field);
    const meant = valuesIn(operator, value).map((one) => meantBy(one, known, choosing.timeZone));
    ofKey[operator] = fixed ?? (isList(operator) ? meant : meant[0]!);
  }
  return { filters, faults };
}

/** What was typed, as the API takes it: the id of a text that can be chosen, the beginning of a day. */
function meantBy(typed: string, field: FilterField | undefined, timeZone: string): string {
  if (field?.typed === "day") return instantIn(timeZone, `${typed}T00:00`) ?? typed;
  const isMeant = ({ text }: { text: string }) => text.toLowerCase() === typed.toLowerCase();
  return field?.options?.find(isMeant)?.id ?? typed;
}

/** Filters of the table of answers as conditions of the form. */
export function conditionsOf(asked: readonly AskedFilter[], { by, timeZone }: Choosing): TypedCondition[] {
  return asked.slice(0, MAX_CONDITIONS).map(({ field, operator, values }) => {
    const known = by.find((one) => one.field === field);
    const fixed = `${operator}:${values[0]}`;
    if (known?.operators.some(([one]) => one === fixed)) return { field, operator: fixed, value: "" };
    const shown = values.map((value) => {
      if (known?.typed === "day") return dayOf(value, timeZone);
      const { text = value } = known?.options?.find(({ id }) => id === value) ?? {};
      // In a list a comma of the text would end it.
      return isList(operator) && text.includes(",") ? value : text;
    });
    return { field, operator, value: shown.join(", ") };
  });
}
