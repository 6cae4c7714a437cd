// What a scale is, as it is kept and shown.

import * as v from "valibot";
import { nullableText } from "./entries.ts";
import type { QuestionOf } from "./question-type.ts";

/** How the steps look: digits; stars; or digits from 0 to 10 with the ends of a Net Promoter Score. */
export const LOOKS = ["NUMBERS", "STARS", "NPS"] as const;
export type Look = (typeof LOOKS)[number];

export const scaleView = {
  look: v.picklist(LOOKS),
  from: v.number(),
  to: v.number(),
  lowLabel: nullableText,
  highLabel: nullableText,
};

export type ScaleQuestion = QuestionOf<"Scale", typeof scaleView>;
