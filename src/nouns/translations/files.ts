// The formats in which translators get texts, and send translations back.

import type { ProblemDetail } from "../../base/problems.ts";
import type { Direction } from "../../languages/tags.ts";
import type { Entry } from "./states.ts";

/** What a file is made from. */
export interface FileOf {
  screenerUid: string;
  base: string;
  language: string;
  directions: { base: Direction; language: Direction };
  entries: readonly Entry[];
}

/** What is wrong with a file, so that nothing of it is read. */
export type FileFaults = ProblemDetail[];
