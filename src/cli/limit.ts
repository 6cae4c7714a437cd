// The limit for removals, as the command line takes and shows it.

import { InvalidArgumentError } from "commander";
import * as v from "valibot";
import { MaxRemovals } from "../nouns/screener-participants/import-settings.ts";

/** A number, or a percentage. `more`: what else would be right, for the error. */
export function readLimit(text: string, more = ""): MaxRemovals {
  const { success, output, issues } = v.safeParse(MaxRemovals, /^\d+$/.test(text) ? Number(text) : text);
  if (!success) throw new InvalidArgumentError(`It ${issues[0].message}${more}.`);
  return output;
}

/** The same, or `none`. @returns the limit as JSON, which is how the control store has it */
export function readLimitOrNone(text: string): string {
  return text === "none" ? "null" : JSON.stringify(readLimit(text, ", or none"));
}

/** Of a workspace in the control store. null: it has no limit. */
export function limitOf({ max_removals: json }: { max_removals: string | null }): MaxRemovals | null {
  return json === null ? null : JSON.parse(json);
}
