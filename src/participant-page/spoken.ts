// What a participant answers, and the language in which the pages speak.

import type { PersonalContent } from "../nouns/content/content.ts";
import type { Speech } from "../words/speech.ts";

export interface SpokenContent extends PersonalContent {
  speech: Speech;
}
