// What the builder shows: the draft, what can be undone, and what is wrong.

import { computed, signal } from "@preact/signals";
import { lateArmsOf } from "../../../nouns/content/advice/late-arms.ts";
import { deadEndsOf } from "../../../nouns/content/advice/warnings.ts";
import { type Content, EMPTY_CONTENT, type Page } from "../../../nouns/content/content.ts";
import { asRead } from "../../../nouns/content/sentences.ts";
import { withPage } from "../drafts/edits.ts";

const MAX_UNDO = 200;
/** Changes of one field within this time are undone together. */
const TOGETHER_MS = 1500;

export const content = signal<Content>(EMPTY_CONTENT);

/** Whether signs and references in texts are read. Of its own, so that a field that asks it is not made anew with each change. */
export const isMarkdown = computed(() => content.value.markup === "MARKDOWN");

/** The same with its prompts and titles as they are read, for lists and sentences. */
export const contentAsRead = computed(() => asRead(content.value));

/** The id of the page that is shown; `END` is what comes after all pages. */
export const shownPage = signal("");
export const END = "end";
export const QUOTAS = "quotas";
export const ARMS = "arms";
export const TEXTS = "texts";

/** Whether it is no page of the draft, but what all of it has. */
export function isOfAll(id: string): boolean {
  return [END, QUOTAS, ARMS, TEXTS].includes(id);
}

/** What is wrong, by where it is: see `keyOf`. */
export const errors = signal<ReadonlyMap<string, string>>(new Map());

/**
 * Questions and rules that a person has not left yet since they were added: what is missing there is not an error yet. By where
 * they are, each with the id of its element.
 */
const fresh = signal<ReadonlyMap<string, string>>(new Map());

/** Notes that a question or a rule is being added. @param at as errors have it */
export function startFresh(at: string, elementId: string): void {
  fresh.value = new Map([...fresh.value, [at, elementId]]);
}

/** Whether a pointer is in what is just being added. */
export function isFresh(key: string): boolean {
  return [...fresh.value.keys()].some((at) => key === at || key.startsWith(`${at}/`));
}

/** Call it when the focus moves: what it has left is not fresh any more. */
export function endFresh(target: Node): void {
  const kept = [...fresh.value].filter(([, elementId]) => document.getElementById(elementId)?.contains(target));
  if (kept.length < fresh.value.size) fresh.value = new Map(kept);
}

/** Rules that never hold, or ask for an arm too early, each with what follows from that: by where the rule is. */
export const deadEnds = computed(() => {
  const pages = new Set(content.value.pages.map(({ id }) => id));
  const quotas = new Set(content.value.quotas?.map(({ id }) => id));
  const arms = new Set(content.value.assignments?.flatMap((assignment) => assignment.arms.map(({ id }) => id)));
  const kind = (id: string) => {
    if (id === END) return END;
    if (arms.has(id)) return `r:${id}`;
    return pages.has(id) ? `p:${id}` : quotas.has(id) ? `c:${id}` : `q:${id}`;
  };
  const late = lateArmsOf(content.value).map(({ message, ...one }) => ({ ...one, text: message }));
  return new Map(
    [...late, ...deadEndsOf(content.value)].map(({ id, member, text }) => [`${kind(id)}/${member}`, text]),
  );
});

const history = signal<{ past: Content[]; future: Content[] }>({ past: [], future: [] });
export const canUndo = computed(() => history.value.past.length > 0);
export const canRedo = computed(() => history.value.future.length > 0);

let last = { mark: "", at: 0 };

/** Changes the draft. @param mark names the field: typing in it is undone as a whole */
export function change(next: Content, mark = ""): void {
  const now = performance.now();
  const isTogether = mark !== "" && mark === last.mark && now - last.at < TOGETHER_MS;
  last = { mark, at: now };
  if (!isTogether) {
    const past = [...history.value.past, content.value].slice(-MAX_UNDO);
    history.value = { past, future: [] };
  }
  content.value = next;
}

export function changePage(id: string, edit: (page: Page) => Page, mark = ""): void {
  change(withPage(content.value, id, edit), mark);
}

export function undo(): void {
  const { past, future } = history.value;
  const before = past.at(-1);
  if (!before) return;
  history.value = { past: past.slice(0, -1), future: [content.value, ...future] };
  show(before);
}

export function redo(): void {
  const [next, ...future] = history.value.future;
  if (!next) return;
  history.value = { past: [...history.value.past, content.value], future };
  show(next);
}

function show(next: Content): void {
  last = { mark: "", at: 0 };
  content.value = next;
  keepPlace();
}

/** Shows a page that is there. */
export function keepPlace(): void {
  const { pages } = content.value;
  if (!isOfAll(shownPage.value) && !pages.some(({ id }) => id === shownPage.value))
    shownPage.value = pages[0]?.id ?? END;
}

/**
 * Where an error is: `p:` and the page's id, `q:` and the question's, `c:` and the quota's, `a:` and the assignment's, `r:` and the arm's, or `end`;
 * and the pointer from there.
 */
export function keyOf(pointer: string, { pages, quotas, assignments }: Content): string {
  const [, quotaIndex, ofQuota] = /^\/quotas\/(\d+)(.*)$/.exec(pointer) ?? [];
  const quota = quotas?.[Number(quotaIndex)];
  if (quota) return `c:${quota.id}${ofQuota}`;
  const [, assignmentIndex, , armIndex, ofAssignment = ""] =
    /^\/assignments\/(\d+)(\/arms\/(\d+))?(.*)$/.exec(pointer) ?? [];
  const assignment = assignments?.[Number(assignmentIndex)];
  const arm = assignment?.arms[Number(armIndex)];
  if (assignment) return arm ? `r:${arm.id}${ofAssignment}` : `a:${assignment.id}${ofAssignment}`;
  const [, pageIndex = "", , questionIndex, rest = ""] =
    /^\/pages\/(\d+)(\/questions\/(\d+))?(.*)$/.exec(pointer) ?? [];
  const page = pages[Number(pageIndex || Number.NaN)];
  if (!page) return `end${pointer}`;
  const question = questionIndex === undefined ? undefined : page.questions[Number(questionIndex)];
  return question ? `q:${question.id}${rest}` : `p:${page.id}${rest}`;
}

/** The focus goes there when the change is on the page. */
export function focusOn(id: string): void {
  requestAnimationFrame(() => setTimeout(() => document.getElementById(id)?.focus()));
}
