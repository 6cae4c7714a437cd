// What speaks against a person's answers, in plain words for those who review them.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";
import type { Known } from "../shell/known-words.ts";
import type { SaidSignal, Signal } from "./evidence.ts";

const listed = (names: readonly string[]) => new Intl.ListFormat("en-GB").format(names);
const people = (n = 0) => `${n >= 20 ? "20 or more" : n} other ${n === 1 ? "person" : "people"}`;

/** What each says. None of them is a proof: the words say what was seen. */
const WORDS: Record<Known<Signal["kind"]>, (signal: SaidSignal) => string> = {
  HURRIED: ({ pages = 0, fasterPages = 0, seconds = 0, medianSeconds = 0 }) =>
    `Hurried: ${fasterPages} of ${counted(pages, "page", "pages")} much faster than others; ${counted(seconds, "second", "seconds")} in all, where half of the others take ${medianSeconds} or more.`,
  STRAIGHT_LINES: ({ about }) => `Straight lines: the same choice in all rows of ${listed(about) || "a matrix"}.`,
  SAME_TEXT: ({ others, about }) =>
    `The same text as ${people(others)}, apart from case and punctuation${about.length ? `: ${listed(about)}` : ""}.`,
  ATTENTION_CHECK: ({ about }) => `An attention check failed${about.length ? `: ${about.join("; ")}` : ""}.`,
  CONTRADICTION: ({ about }) =>
    `A contradiction: answers do not go together, or not with what is known of the person${about.length ? `: ${about.join("; ")}` : ""}.`,
  SAME_EMAIL: ({ others }) => `The same mailbox as ${people(others)}.`,
  SAME_BROWSER: ({ others }) => `The same browser as ${people(others)}: it may be shared.`,
  SAME_ADDRESS: ({ others }) =>
    `The same block of addresses as ${people(others)}: a household, an office or a hostel has one, too.`,
  HIDDEN_FIELD: () => "A field was filled in that people do not see: programs do that.",
};

function said(signal: SaidSignal): string {
  const { kind } = signal;
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as Known<Signal["kind"]>](signal) : kind;
}

export function Signals({ signals, path }: { signals: readonly SaidSignal[]; path: string }): VNode | null {
  if (!signals.length) return null;
  return (
    <>
      <h3>Reasons to doubt the answers</h3>
      <ul>
        {signals.map((signal) => (
          <li key={signal.kind} dir="auto">
            {clean(said(signal))}{" "}
            {signal.otherReference && <a href={`${path}/${signal.otherReference}`}>One of them</a>}
          </li>
        ))}
      </ul>
      <p class="note">These decide nothing: look at the answers.</p>
    </>
  );
}
