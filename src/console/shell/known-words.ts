// Words of the API, which later versions may add to.

/** Those that are known. */
export type Known<Word> = Word extends string ? (string extends Word ? never : Word) : never;

/** A word of the API in words of the console. One that it has none for is shown as it is. */
export function inWords<Word extends string>(words: Readonly<Record<Known<Word>, string>>, word: Word): string {
  return Object.hasOwn(words, word) ? words[word as Known<Word>] : word;
}

/** What completed sessions have come to. */
export const OUTCOMES = { QUALIFIED: "Qualified", DISQUALIFIED: "Screened out", UNKNOWN: "Completed" } as const;

/** What has become of who is reviewed. */
export const REVIEWS = { PENDING: "Waits for a review", ACCEPTED: "Accepted", REJECTED: "Rejected" } as const;
