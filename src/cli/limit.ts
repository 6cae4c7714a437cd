// The limit for removals, as the command line takes and shows it.

import { InvalidArgumentError } from "commander";
import * as v from "valibot";
import { MaxRemovals } from "../screener-participants/resource.ts";

const NONE = "none";

/** A number, or a percentage. */
export function readLimit(text: string): MaxRemovals {
  const { success, output, issues } = v.safeParse(MaxRemovals, /^\d+$/.test(text) ? Number(text) : text);
  if (!success) throw new InvalidArgumentError(issues[0].message);
  return output;
}

/** The same, or `none`. @returns the limit as JSON, which is how the control store has it */
export function readLimitOrNone(text: string): string {
  if (text === NONE) return "null";
  try {
    return JSON.stringify(readLimit(text));
  } catch (error) {
    throw error instanceof InvalidArgumentError ? new InvalidArgumentError(`${error.message}, or none`) : error;
  }
}

/** Of a workspace in the control store. null: it has no limit. */
export function limitOf({ max_removals: json }: { max_removals: string | null }): MaxRemovals | null {
  return json === null ? null : JSON.parse(json);
}
