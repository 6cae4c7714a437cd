// The resources ScreenerTranslations, ScreenerTranslation and ScreenerTranslationChanges, and what callers send.

import * as v from "valibot";
import { exampleIds } from "../../base/examples.ts";
import { closedObject, sentBack, shortArray, uuid } from "../../base/schemas.ts";
import { MAX_LONGEST_TRANSLATION } from "./change.ts";
import { STATES } from "./states.ts";

const count = v.pipe(v.number(), v.integer());
const direction = v.picklist(["ltr", "rtl"]);
const tag = v.pipe(v.string(), v.examples(["de-AT"]));

const progress = {
  total: count,
  translated: v.pipe(count, v.description("Of the texts as they are now")),
  stale: v.pipe(count, v.description("Of former texts")),
  missing: count,
};

export const TranslationsView = v.pipe(
  v.object({
    _type: v.literal("ScreenerTranslations"),
    screenerId: uuid,
    language: v.pipe(tag, v.description("The language of the draft's own texts")),
    items: v.array(v.pipe(v.object({ language: tag, direction, ...progress }), v.title("ScreenerTranslationProgress"))),
  }),
  v.title("ScreenerTranslations"),
);

export type TranslationsJson = v.InferOutput<typeof TranslationsView>;

const state = v.picklist(STATES);

export const TranslationView = v.pipe(
  v.object({
    _type: v.literal("ScreenerTranslation"),
    screenerId: uuid,
    language: tag,
    direction,
    strings: v.array(
      v.pipe(
        v.object({
          id: v.pipe(v.string(), v.description("Stays as long as the text's page, question or option does")),
          path: v.pipe(
            v.string(),
            v.description("JSON Pointer: where the text is in the draft; `/title` is the study's"),
          ),
          source: v.string(),
          text: v.nullable(v.string()),
          state: v.pipe(state, v.description("`STALE`: the source was changed after it was translated")),
        }),
        v.title("ScreenerTranslationString"),
      ),
    ),
  }),
  v.title("ScreenerTranslation"),
);

export type TranslationJson = v.InferOutput<typeof TranslationView>;

export const ChangesView = v.pipe(
  v.object({
    _type: v.literal("ScreenerTranslationChanges"),
    screenerId: uuid,
    language: tag,
    dryRun: v.boolean(),
    changes: v.array(
      v.pipe(
        v.object({
          id: v.string(),
          path: v.string(),
          source: v.string(),
          from: v.nullable(v.string()),
          to: v.nullable(v.string()),
          state,
          madeFrom: v.optional(
            v.pipe(v.string(), v.description("The text that was translated, where the draft has another one")),
          ),
        }),
        v.title("ScreenerTranslationChange"),
      ),
    ),
    ignored: v.pipe(
      v.array(v.object({ id: v.string(), reason: v.picklist(["NOT_IN_DRAFT", "MADE_FROM_FORMER_TEXT"]) })),
      v.description(
        "`NOT_IN_DRAFT`: the draft has no such text any more. `MADE_FROM_FORMER_TEXT`: it translates a former text, and there is " +
          "a translation of the present one",
      ),
    ),
  }),
  v.title("ScreenerTranslationChanges"),
);

export type ChangesJson = v.InferOutput<typeof ChangesView>;

const text = (max: number) => v.pipe(v.string("must be a string"), v.metadata({ maxLength: max }));

const string = {
  id: v.string("must be a string"),
  text: v.pipe(
    v.nullable(text(MAX_LONGEST_TRANSLATION), null),
    v.description("Null: none. It must have the placeholders and links of its source"),
  ),
  source: v.optional(
    v.pipe(
      v.string("must be a string"),
      v.description("The text that was translated. If the draft has another one now, the translation is `STALE`"),
    ),
  ),
};

/** In one change. A file may have all. */
const MAX_CHANGED = 2000;

export const TranslationChange = v.pipe(
  closedObject({
    strings: shortArray(
      v.pipe(closedObject({ ...string, ...sentBack("path", "state") }), v.title("ScreenerTranslationStringChange")),
      MAX_CHANGED,
    ),
  }),
  v.title("ScreenerTranslationChangeInput"),
);

/** The most texts that a content can have, and some. */
const MAX_STRINGS = 1_200_000;

export const TranslationFile = v.pipe(
  closedObject({
    ...sentBack("_type", "screenerId", "language", "direction"),
    dryRun: v.optional(v.boolean("must be true or false")),
    strings: shortArray(
      v.pipe(
        closedObject({
          ...string,
          state: v.optional(
            v.pipe(
              v.picklist(STATES, "must be MISSING, STALE or DONE"),
              v.description("`DONE`: a text that is as it was fits its source"),
            ),
          ),
          ...sentBack("path"),
        }),
        v.title("ScreenerTranslationFileString"),
      ),
      MAX_STRINGS,
    ),
  }),
  v.title("ScreenerTranslationFile"),
);

export const FileParameters = v.object({
  dryRun: v.optional(
    v.pipe(
      v.picklist(["true", "false"], "must be true or false"),
      v.description("`true`: says what would change, and changes nothing"),
    ),
  ),
});

const prompt = {
  id: `question/${exampleIds.ageQuestion}/prompt`,
  path: "/pages/0/questions/0/prompt",
  source: "How old are you?",
};

export const translationExample: TranslationJson = {
  _type: "ScreenerTranslation",
  screenerId: exampleIds.screener,
  language: "de",
  direction: "ltr",
  strings: [
    { id: "title", path: "/title", source: "Sleep study", text: "Schlafstudie", state: "DONE" },
    { ...prompt, text: null, state: "MISSING" },
  ],
};

export const translationsExample: TranslationsJson = {
  _type: "ScreenerTranslations",
  screenerId: exampleIds.screener,
  language: "en",
  items: [{ language: "de", direction: "ltr", total: 2, translated: 1, stale: 0, missing: 1 }],
};

export const changesExample: ChangesJson = {
  _type: "ScreenerTranslationChanges",
  screenerId: exampleIds.screener,
  language: "de",
  dryRun: false,
  changes: [{ ...prompt, from: null, to: "Wie alt sind Sie?", state: "DONE" }],
  ignored: [],
};
