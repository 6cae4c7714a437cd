// The languages that the participants' pages speak.

import { en } from "./en.ts";
import { Speech } from "./speech.ts";

export const ENGLISH = new Speech("en", en);
