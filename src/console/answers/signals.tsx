// What speaks against a person's answers, in plain words for those who review them.

import type { VNode } from "preact";
import type { ScreenerSession } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import type { Known } from "../shell/known-words.ts";

type Signal = NonNullable<NonNullable<ScreenerSession["review"]>["signals"]>[number];

const people = (n = 0) => `${n >= 20 ? "20 or more" : n} other ${n === 1 ? "person" : "people"}`;

/** What each says. None of them is a proof: the words say what was seen. */
const WORDS: Record<Known<Signal["kind"]>, (signal: Signal) => string> = {
  HURRIED: ({ pages = 0, fasterPages = 0, seconds = 0, medianSeconds = 0 }) =>
    `Hurried: ${fasterPages} of ${counted(pages, "page", "pages")} much faster than others; ${counted(seconds, "second", "seconds")} in all, where half of the others take ${medianSeconds} or more.`,
  STRAIGHT_LINES: () => "Straight lines: the same choice in all rows of a matrix.",
  SAME_TEXT: ({ others }) => `The same text as ${people(others)}, apart from case and punctuation.`,
  ATTENTION_CHECK: () => "An attention check failed.",
  CONTRADICTION: () => "A contradiction: answers do not go together, or not with what is known of the person.",
  SAME_EMAIL: ({ others }) => `The same mailbox as ${people(others)}.`,
  SAME_BROWSER: ({ others }) => `The same browser as ${people(others)}: it may be shared.`,
  SAME_ADDRESS: ({ others }) =>
    `The same block of addresses as ${people(others)}: a household, an office or a hostel has one, too.`,
  HIDDEN_FIELD: () => "A field was filled in that people do not see: programs do that.",
};

function said(signal: Signal): string {
  const { kind } = signal;
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as Known<Signal["kind"]>](signal) : kind;
}

export function Signals({ signals, path }: { signals: readonly Signal[]; path: string }): VNode | null {
  if (!signals.length) return null;
  return (
    <>
      <h3>Reasons to doubt the answers</h3>
      <ul>
        {signals.map((signal) => (
          <li key={signal.kind}>
            {said(signal)} {signal.otherReference && <a href={`${path}/${signal.otherReference}`}>One of them</a>}
          </li>
        ))}
      </ul>
      <p class="note">These decide nothing: look at the answers.</p>
    </>
  );
}
