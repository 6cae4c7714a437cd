// A study to begin with: somebody has thought of its questions, rules and quotas already.

import type { ScreenerContentInput } from "../../../client/types.ts";

export interface Template {
  name: string;
  /** What it is for, in a sentence. */
  about: string;
  content: ScreenerContentInput;
}

/** What most of them ask first. */
export const AGE = {
  _type: "ScreenerNumericQuestion",
  id: "age",
  key: "age",
  prompt: "How old are you?",
  helpText: "In years",
  required: true,
  min: 0,
  max: 120,
  wholeNumber: true,
} as const;
