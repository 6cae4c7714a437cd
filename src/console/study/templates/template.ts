// A study to begin with: somebody has thought of its questions, rules and quotas already.

import type { ScreenerContentInput } from "../../../client/types.ts";

export interface Template {
  name: string;
  /** What it is for, in a sentence. */
  about: string;
  content: ScreenerContentInput;
}
