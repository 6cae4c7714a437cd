// What the kinds of signals are called.

import { SIGNALS, type SignalKind } from "../../signals/settings.ts";

export const SIGNAL_WORDS: Readonly<Record<SignalKind, string>> = {
  HURRIED: "Answered in a hurry",
  STRAIGHT_LINES: "Straight lines",
  SAME_TEXT: "The same text",
  ATTENTION_CHECK: "Attention check",
  CONTRADICTION: "Contradiction",
  SAME_EMAIL: "The same email",
  SAME_BROWSER: "The same browser",
  SAME_ADDRESS: "The same address",
  HIDDEN_FIELD: "Hidden field",
};

/** What a filter of people has to choose from. */
export const SIGNAL_CHOICES = SIGNALS.map((id) => ({ id, text: SIGNAL_WORDS[id] }));
