// The form of a new message as it was typed: what the API gets of it, and which field each member of that is.

import type { NewMailing, Screener } from "../../client/types.ts";
import { instantIn } from "../../nouns/screeners/time-zones.ts";
import type { FilterField } from "../filters/filter-words.ts";
import type { Faults } from "../shell/faults.ts";
import { type Fields, unchecked } from "../shell/forms.ts";
import { filtersOf, MAX_CONDITIONS, type TypedCondition } from "./conditions.ts";

/** Fields of which there is one, by their names. */
export const LABELS = {
  kind: "What it is",
  name: "Name",
  subject: "Subject",
  body: "Text",
  status: "Who gets it",
  review: "Reviewed",
  notInvitedSince: "Not written to since",
  notQualifiedSince: "Not qualified since",
  limit: "Maximum number of people",
  order: "Who comes first",
  at: "Begins at",
  windowFrom: "From",
  windowTo: "To",
  windowZone: "Time zone",
  perMinute: "Maximum per minute",
  resendUncertain: "Uncertain messages",
  which: "Which message",
  person: "As which person",
  address: "Your address",
};

/** Fields of which several may be ticked. */
export const LISTS = {
  windowDays: "Days",
  quotaIds: "Only people with a place in",
  notInScreenerIds: "Nobody who is in",
};

type PlainField = keyof typeof LABELS;
export type ListField = keyof typeof LISTS;

interface Words {
  subject: string;
  body: string;
}

/** The first message, or a reminder. */
interface TypedStep {
  /** Until a reminder. */
  days: string;
  /** By language; `""`: the study's own. */
  words: ReadonlyMap<string, Words>;
}

export interface Typed {
  plain: Readonly<Record<PlainField, string>>;
  lists: Readonly<Record<ListField, readonly string[]>>;
  steps: readonly TypedStep[];
  conditions: readonly TypedCondition[];
}

/** How many reminders a mailing may have. */
export const MAX_REMINDERS = 5;

/** The name of a field of a message. @param step 0: the first one @param language `""`: the study's own */
export function nameOf(member: "subject" | "body" | "days", step: number, language = ""): string {
  return [member, step || "", language].filter(Boolean).join("-");
}

export const NO_WORDS: Words = { subject: "", body: "" };

/** @param languages besides the study's own */
export function readTyped(fields: Fields, languages: readonly string[]): Typed {
  const one = (name: string) => fields(name).trim();
  const step = (index: number): TypedStep => ({
    days: one(nameOf("days", index)),
    words: new Map(
      ["", ...languages].map((language) => [
        language,
        { subject: one(nameOf("subject", index, language)), body: one(nameOf("body", index, language)) },
      ]),
    ),
  });
  const [asked, operators, values] = ["field", "operator", "value"].map((name) => fields.all(name));
  return {
    plain: record(Object.keys(LABELS) as PlainField[], one),
    lists: record(Object.keys(LISTS) as ListField[], (name) => fields.all(name)),
    steps: Array.from({ length: MAX_REMINDERS + 1 }, (_, index) => step(index)).filter(
      (typed, index) => index === 0 || !isEmpty(typed),
    ),
    conditions: asked!
      .slice(0, MAX_CONDITIONS)
      .map((field, index) => ({ field, operator: operators![index] ?? "", value: (values![index] ?? "").trim() }))
      .filter(({ field }) => field !== ""),
  };
}

function record<Name extends string, Value>(names: readonly Name[], read: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>;
}

function isEmpty({ days, words }: TypedStep): boolean {
  return days === "" && [...words.values()].every(({ subject, body }) => subject === "" && body === "");
}

const numberOf = (typed: string) => (/^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed));

/** What the API gets, and the fields of its members, by their pointers. */
interface Asked {
  body: NewMailing;
  fields: ReadonlyMap<string, string>;
  /** What no call can say. */
  faults: Faults;
}

/** The words of a message as the API takes them. @param names gets its fields @param at pointer of the message */
function wordsOf({ words }: TypedStep, step: number, at: string, names: Map<string, string>) {
  const note = (pointer: string, language: string) => {
    for (const member of ["subject", "body"] as const)
      names.set(`${pointer}/${member}`, nameOf(member, step, language));
  };
  note(at, "");
  const { "": own = NO_WORDS, ...others } = Object.fromEntries(words);
  const translated = Object.entries(others).filter(([, { subject, body }]) => subject !== "" || body !== "");
  const translations = translated.map(([language, translation], index) => {
    note(`${at}/translations/${index}`, language);
    return { language, ...translation };
  });
  return { ...own, ...(translations.length && { translations }) };
}

/** A message alone, to be looked at. @param step 0: the first one */
export function stepOf({ steps }: Typed, step: number) {
  const fields = new Map<string, string>();
  const chosen = steps[step] ?? steps[0]!;
  return { words: wordsOf(chosen, steps.indexOf(chosen), "", fields), fields };
}

/** @param study its time zone is that in which times are typed */
export function mailingOf(
  { id: screenerId, timeZone }: Pick<Screener, "id" | "timeZone">,
  typed: Typed,
  by: readonly FilterField[],
): Asked {
  const { plain, lists, steps } = typed;
  const [first, ...reminders] = steps;
  const fields = new Map(OF_MEMBERS);
  const { filters, faults } = filtersOf(typed.conditions, fields, { by, timeZone });
  const time = (text: string) => instantIn(timeZone, text) ?? unchecked<string>(text);
  const { windowFrom: from, windowTo: to, windowZone, kind, status, review, order, limit, at, perMinute } = plain;
  const hasWindow = lists.windowDays.length > 0 || from !== "" || to !== "";
  const day = (name: "notInvitedSince" | "notQualifiedSince") =>
    plain[name] && { [name]: time(`${plain[name]}T00:00`) };
  const body: NewMailing = {
    ...{ screenerId, name: plain.name, kind: unchecked<NewMailing["kind"]>(kind) },
    ...wordsOf(first!, 0, "", fields),
    to: {
      ...(status && { status: status.split(",") as never }),
      ...filters,
      ...(review && { review: [review] as never }),
      ...day("notInvitedSince"),
      ...day("notQualifiedSince"),
      ...(lists.quotaIds.length && { quotaIds: [...lists.quotaIds] }),
      ...(lists.notInScreenerIds.length && { notInScreenerIds: [...lists.notInScreenerIds] }),
      ...(limit && { limit: numberOf(limit) }),
      ...(order && { order: unchecked<"OLDEST">(order) }),
    },
    ...(at && { at: time(at) }),
    ...(hasWindow && { window: { days: [...lists.windowDays] as never, from, to, timeZone: windowZone } }),
    ...(perMinute && { perMinute: numberOf(perMinute) }),
    reminders: reminders.map((reminder, index) => {
      fields.set(`/reminders/${index}/afterDays`, nameOf("days", index + 1));
      return { afterDays: numberOf(reminder.days), ...wordsOf(reminder, index + 1, `/reminders/${index}`, fields) };
    }),
    ...(plain.resendUncertain && { resendUncertain: true }),
    dryRun: true,
  };
  return { body, fields, faults };
}

/** Members that are named in another way than their fields. */
const OF_MEMBERS = new Map([
  ["/to/status", "status"],
  ["/to/review", "review"],
  ["/to/limit", "limit"],
  ["/to/order", "order"],
  ["/to/notInvitedSince", "notInvitedSince"],
  ["/to/notQualifiedSince", "notQualifiedSince"],
  ["/to/quotaIds", "quotaIds"],
  ["/to/notInScreenerIds", "notInScreenerIds"],
  ["/window/days", "windowDays"],
  ["/window/from", "windowFrom"],
  ["/window/to", "windowTo"],
  ["/window/timeZone", "windowZone"],
]);

/** What the fields of a form are called. @param nameOfLanguage of translations */
export function labelsOf(typed: Typed, nameOfLanguage: (language: string) => string): Record<string, string> {
  const labels: Record<string, string> = { ...LABELS, ...LISTS };
  for (const [step, { words }] of [...typed.steps, NEXT].slice(0, MAX_REMINDERS + 1).entries()) {
    const of = step === 0 ? "" : ` of reminder ${step}`;
    labels[nameOf("days", step)] = `Days until reminder ${step}`;
    for (const language of new Set([...words.keys(), ...typed.steps[0]!.words.keys()])) {
      const said = language && `, ${nameOfLanguage(language)}`;
      labels[nameOf("subject", step, language)] = `Subject${of}${said}`;
      labels[nameOf("body", step, language)] = `Text${of}${said}`;
    }
  }
  for (const index of typed.conditions.keys()) labels[`value-${index}`] = `Condition ${index + 1}`;
  return labels;
}

/** A reminder that nobody has typed yet. */
export const NEXT: TypedStep = { days: "", words: new Map([["", NO_WORDS]]) };
