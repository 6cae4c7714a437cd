// What a heading is most likely meant to be: other names that people have for members, and misspellings.

import { distance } from "fastest-levenshtein";
import type { Written } from "../../nouns/participants/resource.ts";
import type { Imported } from "../../nouns/screener-participants/import-settings.ts";

/** Headings as people write them, in lower case and letters alone, in the order in which they are tried. */
export const WRITINGS: readonly (readonly [Imported, RegExp])[] = [
  [
    "externalUid",
    /^(?:external(?:u?id)?|(?:person|participant|panel(?:ist)?|member|respondent|contact|customer|user)s?(?:u?id|no|number|code)|u?id|code|key)$/,
  ],
  ["email", /^(?:work|private|primary|contact|business|personal|user)?e?mails?(?:addresse?s?|adresse)?$/],
  ["name.first", /^(?:first|given|fore|christian)names?$|^first$/],
  ["name.last", /^(?:last|family|sur)names?$|^(?:last|surname)$/],
  ["name", /^(?:(?:full|complete|legal|display|participant|person|contact|user)?names?)$/],
];

/** A heading, to be compared with how people write members. */
export function lettersOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}]+/gu, "");
}

/** Longer ones are no member that was misspelt. */
const MAX_LETTERS = 40;

/** The one of these members that `heading` is most likely meant to be. */
export function nearMember(heading: string, members: readonly Written[]): Written | undefined {
  if (!members.length || heading.length > MAX_LETTERS) return undefined;
  const letters = lettersOf(heading);
  const [written] = WRITINGS.find(([, writing]) => writing.test(letters)) ?? [];
  const meant = members.find(
    (member) => member === written || `${member}.first` === written || `${member}.last` === written,
  );
  return meant ?? members.find((member) => isMisspelt(letters, member.toLowerCase()));
}

/** Whether two letters are swapped, or one is wrong, added or missing. In a long word, two may be. */
function isMisspelt(letters: string, word: string): boolean {
  const sorted = (text: string) => [...text].sort().join("");
  const limit = word.length > LONG ? 2 : 1;
  const apart = distance(letters, word);
  return apart <= limit || (apart === 2 && sorted(letters) === sorted(word));
}

const LONG = 8;
