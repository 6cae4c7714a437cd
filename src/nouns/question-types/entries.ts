// The building blocks of the schemas of content: for pages and for all question types, as authors send and read them.

import * as v from "valibot";
import { detailOf } from "../../base/check-body.ts";
import { idOf, maxCharacters, requiredText, uuid } from "../../base/schemas.ts";
import type { Condition } from "./comparisons.ts";

/** Of the schema of conditions in the API description. What they may say depends on the types: nouns/content/conditions/condition-language.ts has it. */
export const CONDITION = "Condition";

const reference = { $ref: `#/components/schemas/${CONDITION}` };

export const condition = v.nullable(v.pipe(v.unknown(), v.metadata(reference)));

/** A condition that is there. */
export const ruleView = v.pipe(v.unknown() as v.GenericSchema<Condition>, v.metadata(reference));

export const conditionView = v.nullable(ruleView);

export const label = v.optional(
  v.nullable(
    v.pipe(
      requiredText(64),
      v.description(
        "Of what is in the draft already: its id. Of what is new: any label, for conditions to refer to, or nothing",
      ),
      v.transform(idOf),
    ),
  ),
);

export const text = (max: number) => v.optional(v.nullable(maxCharacters(max)));
export const flag = v.optional(v.nullable(v.boolean("must be true or false")));
export const count = (min: number, max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.number("must be a whole number or null"),
        v.integer("must be a whole number"),
        v.minValue(min, `must be at least ${min}`),
        v.maxValue(max, `must be at most ${max}`),
      ),
    ),
  );

/** The largest limit of a quota. */
const MAX_PLACES = 1_000_000_000;

/** How many places a quota has. */
export const places = v.pipe(
  v.number("must be a whole number or null"),
  v.integer("must be a whole number"),
  v.minValue(0, "must be at least 0"),
  v.maxValue(MAX_PLACES, `must be at most ${MAX_PLACES}`),
);

/** What authors send for every question. */
export const commonInput = {
  id: label,
  key: v.optional(
    v.nullable(
      v.pipe(
        v.string("must be a string"),
        v.regex(/^[A-Za-z][\w-]{0,63}$/, "must begin with a letter and have at most 64 letters, digits, - and _"),
        v.description("The question's heading in tables; its id when there is none"),
      ),
    ),
  ),
  prompt: requiredText(5000),
  helpText: text(5000),
  required: flag,
  showWhen: v.optional(condition),
  fixed: v.pipe(flag, v.description("It keeps its position where the page's questions are shuffled")),
};

/** What authors send for a question with a list that can be shuffled, and for each item of the list. */
export const shuffleInput = { shuffle: flag };
export const fixedInput = { fixed: flag };

export const nullableText = v.nullable(v.string());
export const nullableNumber = v.nullable(v.number());

/** The members with lists of a question's parts, each with an id and a text; and what a part is called. */
export const PARTS = { options: "option", rows: "row", columns: "column" } as const;
export type PartList = keyof typeof PARTS;

export interface Part {
  id: string;
  text: string;
  /** It keeps its position where the list is shuffled. */
  fixed?: true | undefined;
}

/** What every question has, as it is kept and shown. */
export const commonView = {
  id: uuid,
  /** A short name that analysts see in tables; if it is null, they see the id. */
  key: nullableText,
  prompt: v.string(),
  helpText: nullableText,
  required: v.boolean(),
  showWhen: conditionView,
  fixed: v.optional(v.literal(true)),
};

export const shuffleView = {
  shuffle: v.pipe(v.optional(v.literal(true)), v.description("The list is shown in an order by chance")),
};
export const fixedView = { fixed: v.optional(v.literal(true)) };

/** The type of an object with these entries. */
export type ValuesOf<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

/** More parts than any limit of a question can ask for. */
const MANY_PARTS = 1000;

/** What an author sent without what does not fit its schema, and the pointers of that. A list keeps the number of its parts; one that is no list has many. */
export function whatFits<Entries extends v.ObjectEntries>(
  entries: Entries,
  raw: unknown,
): { values: ValuesOf<Entries>; wrong: ReadonlySet<string> } {
  const { output, issues = [] } = v.safeParse(v.object(entries), raw);
  const values = output as Record<string, unknown>;
  // No other part has these texts.
  const standIn = (index: number): Partial<Part> => ({ text: `\0${index}` });
  for (const { path = [] } of issues) {
    const [member, index, ofPart] = path.map(({ key }) => key) as [string, number?, (keyof Part)?];
    if (index !== undefined) {
      const parts = values[member] as Partial<Part>[];
      parts[index] =
        ofPart === undefined
          ? standIn(index)
          : { ...standIn(index), ...parts[index], [ofPart]: standIn(index)[ofPart] };
    } else if (Object.hasOwn(PARTS, member))
      values[member] = Array.from({ length: MANY_PARTS }, (_, at) => standIn(at));
    else delete values[member];
  }
  return { values: values as ValuesOf<Entries>, wrong: new Set(issues.map((issue) => detailOf(issue).pointer)) };
}

/** Of a key that is made: long enough to know a question again, and short enough for a column. */
const MAX_MADE_KEY_LENGTH = 40;

/** Makes a key from a prompt: its first words in lower case, in the letters a to z. Empty if it has none of them. */
export function keyFrom(prompt: string): string {
  const words =
    prompt
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let key = "";
  for (const word of words) {
    if (key && key.length + 1 + word.length > MAX_MADE_KEY_LENGTH) break;
    key = key ? `${key}_${word}` : word.slice(0, MAX_MADE_KEY_LENGTH);
  }
  return /^\d/.test(key) ? `q_${key}` : key;
}
