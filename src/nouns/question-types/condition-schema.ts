// Conditions as members of what is described. What they may say is in nouns/content/condition-language.ts: that depends on the types.

import * as v from "valibot";
import type { Condition } from "./comparisons.ts";

/** Of the schema of conditions, in the API description. */
export const CONDITION = "Condition";

const reference = { $ref: `#/components/schemas/${CONDITION}` };

export const condition = v.nullable(v.pipe(v.unknown(), v.metadata(reference)));

export const conditionView = v.nullable(v.pipe(v.unknown() as v.GenericSchema<Condition>, v.metadata(reference)));
