// What callers send about screeners.

import * as v from "valibot";
import { changedText, maxCharacters, requiredText } from "../schemas.ts";

export const NewScreener = v.object({
  title: requiredText(500),
  description: v.optional(v.nullable(maxCharacters(10_000))),
});

export const ScreenerChange = v.object({
  title: changedText(500),
  description: v.optional(v.nullable(maxCharacters(10_000))),
});
