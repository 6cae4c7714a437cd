// Variables of the environment that are nearly one of the service's.

import { closest, distance } from "fastest-levenshtein";

/** How many characters a variable may differ in from one of ours that it is taken for. Of a short one, fewer. */
const nearBy = (name: string) => (name.length < 6 ? 1 : 2);

const lettersOf = (name: string) => [...name].sort().join("");

/** A sentence for each variable that is none of ours, and nearly is. @param ours the names of all variables that are read */
export function misspelt(env: Record<string, string | undefined>, ours: readonly string[]): string[] {
  return Object.keys(env).flatMap((name) => {
    if (ours.includes(name)) return [];
    const upper = name.toUpperCase();
    // Two letters in the other order are two changes: PROT.
    const near = ours.find((one) => lettersOf(one) === lettersOf(upper)) ?? closest(upper, ours);
    if (distance(upper, near) > nearBy(near) && lettersOf(near) !== lettersOf(upper)) return [];
    return [`${name} is no variable of this service, and has no effect. Do you mean ${near}?`];
  });
}
