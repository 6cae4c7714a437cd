// Saves the draft about a second after the last change, unless somebody else has changed it meanwhile.

import { effect, signal } from "@preact/signals";
import { type Content, EMPTY_CONTENT, type StatementImage } from "../../../nouns/content/content.ts";
import { type Incomplete, OF_MEMBERS, withIncomplete } from "../../../nouns/content/incomplete/pieces.ts";
import { type KnownIds, learnIds, withKnownIds } from "../drafts/edits.ts";
import { change, content, errors, keepPlace, keyOf } from "./draft.ts";

const PAUSE_MS = 1000;
const RETRY_MS = 5000;

export type Status = "loading" | "saved" | "waiting" | "saving" | "refused" | "conflict" | "failed" | "signedOut";

export const status = signal<Status>("loading");

/** The draft of somebody else, where both were changed. */
export const theirs = signal<Content | null>(null);

/** Who has changed the draft last, and when. */
export interface LastChange {
  name: string;
  at: string;
}

/** Of the draft of somebody else. Undefined: nobody knows. */
export const lastChange = signal<LastChange | undefined>(undefined);

/** A quota that is published, by its id: its limit and its places are live. */
export interface LiveQuota {
  id: string;
  limit: number | null;
  taken: number;
  held: number;
}

export const liveQuotas = signal<ReadonlyMap<string, LiveQuota>>(new Map());

/** How often the draft was saved: the preview follows it. */
export const saves = signal(0);

const ids = new Map<string, string>();
let path = "";
let token = "";
let version = "";
/** What the service had last, as far as the builder knows. */
let last: Content = EMPTY_CONTENT;
let timer: ReturnType<typeof setTimeout> | undefined;
let isSending = false;

/** The id by which the service knows a page. */
export const knownId = (id: string): string => ids.get(id) ?? id;

/** What the service had last: what somebody else's changes and ours begin with. */
export const saved = (): Content => last;

/** The ids that the service has given so far. */
export const knownIds = (): KnownIds => ids;

/** What the page came with. */
interface Given {
  draft: Draft;
  etag: string;
  quotas: LiveQuota[];
}

/** Saves what changes from now on. @param of the path of the study's pages */
export function start(of: string, formToken: string, given: Given): void {
  [path, token, version] = [of, formToken, given.etag];
  liveQuotas.value = new Map(given.quotas.map((quota) => [quota.id, quota]));
  const draft = wholeOf(given.draft);
  last = draft;
  content.value = draft;
  keepPlace();
  status.value = "saved";
  saves.value++;
  effect(() => {
    if (content.value === last && status.peek() === "refused") {
      // What was wrong is undone.
      errors.value = new Map();
      status.value = "saved";
    }
    if (content.value === last || status.peek() === "conflict") return;
    status.value = "waiting";
    saveIn(PAUSE_MS);
  });
  addEventListener("beforeunload", (event) => {
    if (status.peek() !== "saved") event.preventDefault();
  });
}

/** Saves now, and not in a while. */
export function saveNow(): void {
  saveIn(0);
}

function saveIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    save().catch(() => {
      isSending = false;
      status.value = "failed";
      saveIn(RETRY_MS);
    });
  }, ms);
}

async function loadDraft(): Promise<Content> {
  const reply = await fetch(`${path}/draft`, { redirect: "manual" });
  if (!reply.ok) throw new Error(`The draft can't be loaded: ${reply.status}`);
  version = reply.headers.get("etag") ?? "";
  // All of it, also what the builder does not know: it is sent back as it came.
  return wholeOf(await reply.json());
}

/** A draft as the service sends it. */
type Draft = Content & { incomplete?: Incomplete[]; allowIncomplete?: true };

/** A draft as the builder has it: also with what is not finished. */
function wholeOf(reply: Draft, sent?: Content): Content {
  const { allowIncomplete: _, ...draft } = reply;
  const whole = withIncomplete(draft) as Content;
  // The builder may still have labels where the service has ids.
  noteErrors(draft.incomplete?.flatMap((piece) => piece.errors) ?? [], sent ?? whole);
  return whole;
}

/** Shows what is wrong where it is. */
function noteErrors(all: { pointer: string; message: string }[], draft: Content): void {
  const found = new Map<string, string>();
  for (const { pointer, message } of all.toReversed())
    found.set(keyOf(pointer, draft), message.replace(OF_MEMBERS, ""));
  errors.value = found;
}

/** It only says who it was: without it, that is not said. */
async function loadLastChange(): Promise<LastChange | undefined> {
  const reply = await fetch(`${path}/last-change`, { redirect: "manual" });
  return reply.ok ? ((await reply.json()) ?? undefined) : undefined;
}

/** A user who has signed in again in another tab has a new token. @returns whether there is one */
async function findToken(): Promise<boolean> {
  const reply = await fetch(`${path}/build`, { redirect: "manual" });
  if (!reply.ok) return false;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const found = page.getElementById("builder")?.dataset.token ?? token;
  const isNew = found !== token;
  token = found;
  return isNew;
}

async function save(): Promise<void> {
  // What changes while the draft is sent is saved after that.
  if (isSending) return;
  isSending = true;
  status.value = "saving";
  const sent = content.value;
  const reply = await fetch(`${path}/draft`, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "If-Match": version, "X-Form-Token": token },
    body: JSON.stringify({ ...withKnownIds(sent, ids), allowIncomplete: true }),
  });
  if (reply.ok) {
    version = reply.headers.get("etag") ?? "";
    learnIds(ids, sent, wholeOf(await reply.json(), sent));
    last = sent;
    saves.value++;
  } else if (reply.status === 400) {
    const problem: { errors?: { pointer: string; message: string }[] } = await reply.json();
    noteErrors(problem.errors ?? [], sent);
  } else if (reply.status === 412) {
    lastChange.value = await loadLastChange();
    theirs.value = await loadDraft();
  } else if (reply.type !== "opaqueredirect" && reply.status !== 403) throw new Error(`Not saved: ${reply.status}`);
  isSending = false;
  if (reply.status === 403 && (await findToken())) saveIn(0);
  else if (theirs.value) status.value = "conflict";
  else if (!reply.ok && reply.status !== 400) status.value = "signedOut";
  else if (content.value !== sent) {
    status.value = "waiting";
    saveIn(PAUSE_MS);
  } else status.value = reply.ok ? "saved" : "refused";
}

/** An image, as the service has kept it. */
type SentImage = Pick<StatementImage, "id" | "width" | "height">;

/** Sends the file of an image. @returns it, or what is wrong with the file */
export async function sendImage(file: File): Promise<SentImage | string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = reject;
    reader.readAsDataURL(file);
  });
  const send = () =>
    fetch(`${path}/images`, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "X-Form-Token": token },
      body: JSON.stringify({ file: url.slice(url.indexOf(",") + 1) }),
    });
  let reply = await send();
  if (reply.status === 403 && (await findToken())) reply = await send();
  if (reply.ok) return reply.json();
  if (reply.type === "opaqueredirect")
    return "was not sent: you are signed out. Sign in in another tab, then try again";
  const { detail, errors: [wrong] = [] }: { detail?: string; errors?: { message: string }[] } = await reply.json();
  return wrong?.message ?? `was not sent. ${detail ?? ""}`;
}

/** Where both were changed: goes on with what was brought together. Undo brings ours back. */
export function takeOver(next: Content): void {
  const draft = theirs.value;
  if (!draft) return;
  last = draft;
  theirs.value = null;
  errors.value = new Map();
  status.value = "saved";
  saves.value++;
  change(isSame(next, draft) ? draft : next);
  keepPlace();
}

const isSame = (one: Content, other: Content) => JSON.stringify(one) === JSON.stringify(other);

/** Where to go when the draft is saved. */
let leavingTo = "";

/** From now on a link waits until what was typed last is saved. */
export function saveBeforeLeaving(): void {
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || !["waiting", "saving"].includes(status.value)) return;
    // A link within the page leaves nothing.
    if (link.getAttribute("href")!.startsWith("#")) return;
    event.preventDefault();
    leavingTo = link.href;
    saveNow();
  });
  effect(() => {
    if (["waiting", "saving"].includes(status.value)) return;
    const to = leavingTo;
    leavingTo = "";
    // What could not be saved is to be seen first.
    if (to !== "" && status.value === "saved") location.assign(to);
  });
}
