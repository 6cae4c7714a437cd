// What an open link is set to: the values that it has at first, and after a change.

import { NO_ATTRIBUTES } from "../../base/attributes.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../../base/problems.ts";
import { AFTER_OPENING, isAfterOpening } from "../screeners/resource.ts";
import type { LinkValues } from "./queries.ts";
import type { LinkSettings } from "./resource.ts";

export const FRESH: Omit<LinkValues, "name"> = {
  ask: "[]",
  is_required: 0,
  max_joins: null,
  opens_at: null,
  closes_at: null,
  attributes: NO_ATTRIBUTES,
  accept: "[]",
  one_each: "NONE",
  requires_signature: 0,
  confirms_email: 0,
};

/** What a link was set to before a change. Somebody new has no name yet. */
type Former = Omit<LinkValues, "name"> & { name?: string };

/** What a link is set to after a change. @throws Problem 400 with all that does not go together; mail_not_configured */
export function changed(current: Former, settings: LinkSettings, canMail: boolean): LinkValues {
  const values = merged(current, settings);
  const errors = faultsOf(current, settings);
  if (errors.length) throw invalidRequest(errors);
  if (values.confirms_email && !current.confirms_email && !canMail) throw new Problem("mail_not_configured");
  return values;
}

function merged(current: Former, settings: LinkSettings): LinkValues {
  const { ask, required, limit, accept, confirmEmail } = settings;
  return {
    name: settings.name ?? current.name!,
    ask: ask ? JSON.stringify(ask) : current.ask,
    is_required: required === undefined ? current.is_required : required ? 1 : 0,
    max_joins: limit === undefined ? current.max_joins : limit,
    opens_at: settings.opensAt === undefined ? current.opens_at : settings.opensAt,
    closes_at: settings.closesAt === undefined ? current.closes_at : settings.closesAt,
    attributes: settings.attributes ?? current.attributes,
    accept: accept ? JSON.stringify(accept) : current.accept,
    one_each: settings.oneEach ?? current.one_each,
    requires_signature:
      settings.requireSignature === undefined ? current.requires_signature : settings.requireSignature ? 1 : 0,
    confirms_email: confirmEmail === undefined ? current.confirms_email : confirmEmail ? 1 : 0,
  };
}

/** What must go together. The error is said of the first member. */
const RULES: { of: readonly (keyof LinkSettings)[]; message: string; isBroken(values: LinkValues): boolean }[] = [
  {
    of: ["closesAt", "opensAt"],
    message: AFTER_OPENING,
    isBroken: ({ opens_at, closes_at }) => !isAfterOpening(opens_at, closes_at),
  },
  {
    of: ["oneEach", "confirmEmail"],
    message: "can be EMAIL only with confirmEmail: true",
    isBroken: ({ one_each, confirms_email }) => one_each === "EMAIL" && !confirms_email,
  },
  {
    of: ["confirmEmail", "ask"],
    message: "needs EMAIL in ask",
    isBroken: ({ confirms_email, ask }) => confirms_email === 1 && !ask.includes("EMAIL"),
  },
  {
    of: ["required", "ask"],
    message: "needs something in ask",
    isBroken: ({ is_required, ask }) => is_required === 1 && ask === "[]",
  },
];

/** What does not go together after a change. @param wrong members of it that are wrong by themselves */
export function faultsOf(
  current: Former,
  settings: LinkSettings,
  wrong: ReadonlySet<string> = new Set(),
): ProblemDetail[] {
  const values = merged(current, settings);
  return RULES.filter(({ of, isBroken }) => !of.some((member) => wrong.has(member)) && isBroken(values)).map(
    ({ of: [member], message }) => ({ pointer: `/${member}`, message }),
  );
}
