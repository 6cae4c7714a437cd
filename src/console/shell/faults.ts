// What is wrong with a form, by its fields: from the problem with which the API refuses it.

import { Problem } from "../../base/problems.ts";

/** What is wrong with each field, by its name. */
export type Faults = Record<string, string>;

/**
 * What a call has refused, by the fields of the form. What no field is for is named by its pointer, or not at all.
 * @param names the fields, which are named as the members of the body. @throws the error itself, unless it says what is wrong with the body
 */
export function faultsOf(error: unknown, names: readonly string[]): Faults {
  if (!(error instanceof Problem) || ![400, 409, 413].includes(error.status)) throw error;
  const { detail, errors } = error.document;
  const faults: Faults = {};
  for (const { pointer, message } of errors ?? []) {
    const [, member = ""] = pointer.split("/");
    if (names.includes(member)) faults[member] ??= message;
    else faults[pointer] ??= `${pointer} ${message}`;
  }
  return Object.keys(faults).length ? faults : { "": detail };
}
