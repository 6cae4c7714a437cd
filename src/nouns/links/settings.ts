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

/** What a link is set to after a change. @throws Problem 400 with all that does not go together; mail_not_configured */
export function changed(
  current: Omit<LinkValues, "name"> & { name?: string },
  settings: LinkSettings,
  canMail: boolean,
): LinkValues {
  const { ask, required, limit, accept, confirmEmail } = settings;
  const values: LinkValues = {
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
  const asksEmail = values.ask.includes("EMAIL");
  const errors: ProblemDetail[] = [];
  if (!isAfterOpening(values.opens_at, values.closes_at)) errors.push({ pointer: "/closesAt", message: AFTER_OPENING });
  if (values.one_each === "EMAIL" && !values.confirms_email)
    errors.push({ pointer: "/oneEach", message: "can be EMAIL only with confirmEmail: true" });
  if (values.confirms_email && !asksEmail) errors.push({ pointer: "/confirmEmail", message: "needs EMAIL in ask" });
  if (values.is_required && values.ask === "[]")
    errors.push({ pointer: "/required", message: "needs something in ask" });
  if (errors.length) throw invalidRequest(errors);
  if (values.confirms_email && !current.confirms_email && !canMail) throw new Problem("mail_not_configured");
  return values;
}
