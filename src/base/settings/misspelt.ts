// Variables of the environment that are nearly one of the service's.

import { closest, distance } from "fastest-levenshtein";

/** How many characters a variable may differ in from one of ours that it is taken for. Of a short one, fewer. */
const nearBy = (name: string) => (name.length < 6 ? 1 : 2);

const lettersOf = (name: string) => [...name].sort().join("");

/** A sentence for each variable that is none of ours, and nearly is. @param ours the names of all variables that are read */
export function misspelt(env: Record<string, string | undefined>, ours: readonly string[]): string[] {
  // Of those with the same letters the first one.
  const byLetters = new Map(ours.toReversed().map((one) => [lettersOf(one), one]));
  return Object.keys(env).flatMap((name) => {
    if (ours.includes(name)) return [];
    const upper = name.toUpperCase();
    // Two letters in the other order are two changes: PROT.
    const near = byLetters.get(lettersOf(upper)) ?? nearest(upper, ours);
    return near === undefined
      ? []
      : [`${name} is no variable of this service, and has no effect. Do you mean ${near}?`];
  });
}

function nearest(name: string, ours: readonly string[]): string | undefined {
  const similar = ours.filter((one) => Math.abs(one.length - name.length) <= nearBy(one));
  if (!similar.length) return undefined;
  const near = closest(name, similar);
  return distance(name, near) <= nearBy(near) ? near : undefined;
}
