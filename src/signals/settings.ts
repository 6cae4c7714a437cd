// Which signals a screener has on: one member for each kind, null is off. And the kinds.

import { LRUCache } from "lru-cache";
import * as v from "valibot";

export const SIGNALS = [
  "HURRIED",
  "STRAIGHT_LINES",
  "SAME_TEXT",
  "ATTENTION_CHECK",
  "CONTRADICTION",
  "SAME_EMAIL",
  "SAME_BROWSER",
  "SAME_ADDRESS",
  "HIDDEN_FIELD",
] as const;
export type SignalKind = (typeof SIGNALS)[number];

/** A whole number or a share, from one to another. */
const between = (least: number, most: number) =>
  [
    v.minValue<number, number, string>(least, `must be at least ${least}`),
    v.maxValue<number, number, string>(most, `must be at most ${most}`),
  ] as const;
const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number("must be a number"), v.integer("must be a whole number"), ...between(least, most));
const share = v.pipe(v.number("must be a number"), ...between(0.05, 0.95));

/** What each kind is set to where it is on, and what callers may leave out. */
const hurried = v.object({
  share: v.pipe(v.optional(share, 0.4), v.description("Of the version's own median of a page: who is faster, hurries")),
});
const straightLines = v.object({
  minRows: v.pipe(v.optional(wholeNumber(3, 50), 5), v.description("Of a matrix: with fewer rows, nothing is said")),
});
const sameText = v.object({
  minLength: v.pipe(
    v.optional(wholeNumber(10, 1000), 30),
    v.description("In letters and digits: shorter texts may be the same by chance"),
  ),
});
const sameAddress = v.object({
  minSessions: v.pipe(
    v.optional(wholeNumber(2, 50), 12),
    v.description("From how many sessions of one block of addresses on: a household or an office has one, too"),
  ),
});
const plain = v.object({});

const on = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null);

/** What callers send: what is missing is off. */
export const NewSignals = v.pipe(
  v.object({
    hurried: on(hurried),
    straightLines: on(straightLines),
    sameText: on(sameText),
    attentionCheck: on(plain),
    contradiction: on(plain),
    sameEmail: on(plain),
    sameBrowser: on(plain),
    sameAddress: on(sameAddress),
    hiddenField: on(plain),
  }),
  v.title("ScreenerSignals"),
  v.description("One member for each kind. Null or missing: it is off. What is sent replaces all of them"),
);

export type SignalSettings = v.InferOutput<typeof NewSignals>;

export const ALL_OFF: SignalSettings = {
  hurried: null,
  straightLines: null,
  sameText: null,
  attentionCheck: null,
  contradiction: null,
  sameEmail: null,
  sameBrowser: null,
  sameAddress: null,
  hiddenField: null,
};

const shown = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema);

/** As it is shown: all members. */
export const SignalsView = v.pipe(
  v.object({
    hurried: shown(v.object({ share: v.number() })),
    straightLines: shown(v.object({ minRows: v.number() })),
    sameText: shown(v.object({ minLength: v.number() })),
    attentionCheck: shown(plain),
    contradiction: shown(plain),
    sameEmail: shown(plain),
    sameBrowser: shown(plain),
    sameAddress: shown(v.object({ minSessions: v.number() })),
    hiddenField: shown(plain),
  }),
  v.title("ScreenerSignalsView"),
);

/** As the column has it: null where all are off, so that submissions see at once that there is nothing to do. */
export function keptSignals(settings: SignalSettings): string | null {
  const isOn = Object.values(settings).some((one) => one !== null);
  return isOn ? JSON.stringify(settings) : null;
}

/** Each page of a study asks for its settings, some of them twice. */
const parsed = new LRUCache<string, SignalSettings>({ max: 100 });

/** @param kept what the column has */
export function signalsOf(kept: string | null): SignalSettings | null {
  if (kept === null) return null;
  let settings = parsed.get(kept);
  if (!settings) {
    settings = { ...ALL_OFF, ...JSON.parse(kept) } as SignalSettings;
    parsed.set(kept, settings);
  }
  return settings;
}
