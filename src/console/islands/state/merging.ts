// Where somebody else has changed the draft meanwhile: both versions are brought together, piece by piece; where both have changed the same
// piece, somebody chooses.

import { computed, effect, signal } from "@preact/signals";
import { differenceOf } from "../../../nouns/content/advice/difference.ts";
import { type Content, isQuestion } from "../../../nouns/content/content.ts";
import { withKnownIds } from "../drafts/edits.ts";
import { conflictsIn, merged, ORDER, withOnly } from "../drafts/merge.ts";
import type { Side } from "../drafts/sides.ts";
import { content } from "./draft.ts";
import { knownIds, type LastChange, lastChange, saved, status, takeOver, theirs } from "./saving.ts";
import { showByKnownIds } from "./unfolding.ts";

/** What both have changed: whose version is to be kept, by the key of the piece. */
const chosen = signal<ReadonlyMap<string, Side>>(new Map());

const versions = computed(() =>
  theirs.value
    ? { base: withKnownIds(saved(), knownIds()), ours: withKnownIds(content.value, knownIds()), theirs: theirs.value }
    : undefined,
);

/** A piece that both have changed. */
export interface BothChanged {
  key: string;
  /** What each has changed, as sentences. */
  ours: string[];
  theirs: string[];
  chosen: Side | undefined;
}

export const bothChanged = computed((): BothChanged[] => {
  const all = versions.value;
  if (!all) return [];
  const said = (key: string, side: Side) => {
    const only = withOnly(all, key, side);
    return sentencesOf(all.base, only, key);
  };
  return conflictsIn(all).map((key) => ({
    ...{ key, ours: said(key, "ours"), theirs: said(key, "theirs") },
    chosen: chosen.value.get(key),
  }));
});

/** What was brought together without a question: who else has changed what. */
export const broughtTogether = signal<{ change: LastChange | undefined; what: string[] } | null>(null);

export function choose(key: string, side: Side): void {
  chosen.value = new Map(chosen.value).set(key, side);
  const open = bothChanged.value.some((one) => one.chosen === undefined);
  if (!open) apply();
}

export function chooseAll(side: Side): void {
  chosen.value = new Map(bothChanged.value.map(({ key }) => [key, side]));
  apply();
}

function apply(): void {
  const all = versions.value;
  if (!all) return;
  broughtTogether.value = {
    change: lastChange.value,
    what: differenceOf(all.base, all.theirs).map(({ text, details }) => [text, ...details].join("; ")),
  };
  const next = merged(all, chosen.value);
  chosen.value = new Map();
  showByKnownIds();
  takeOver(next);
}

/** Brings both together as soon as there is something to bring together, and nothing to choose. */
export function mergeWhereClear(): void {
  effect(() => {
    if (status.value === "conflict" && theirs.value && bothChanged.value.length === 0) queueMicrotask(apply);
  });
}

function sentencesOf(base: Content, only: Content, key: string): string[] {
  const id = key.slice(2);
  if (key.startsWith(ORDER))
    return [
      `The order: ${namesIn(only, id)
        .map((name) => `“${name}”`)
        .join(", ")}`,
    ];
  const said = differenceOf(base, only).map(({ text, details }) => [text, ...details].join("; "));
  const item = only.pages.flatMap(({ questions }) => questions).find((one) => one.id === id);
  if (key.startsWith("m:")) {
    const value = (only as unknown as Record<string, unknown>)[id];
    return typeof value === "string" ? [...said, `“${value}”`] : said;
  }
  if (item && "text" in item && item.text) return [...said, `“${item.text}”`];
  return said.length ? said : ["It is unchanged, or was removed"];
}

/** What is in an order. @param of the page whose questions it is about, or the kind of list */
function namesIn({ pages, quotas = [], assignments = [] }: Content, of: string): string[] {
  if (of === "c:") return quotas.map(({ name }) => name);
  if (of === "a:") return assignments.map(({ name }) => name);
  if (of === "p:") return pages.map(({ title }, index) => title ?? `Page ${index + 1}`);
  const { questions = [] } = pages.find(({ id }) => id === of) ?? {};
  return questions.map((item) => (isQuestion(item) ? item.prompt : (item.text ?? "An image")));
}
