// The page of a study: its state and its settings. And the pages that make a study, or a copy of one.

import { hash, randomUUID } from "node:crypto";
import { Problem } from "../../base/problems.ts";
import type { Screener, ScreenerChange, ScreenerContentInput } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { clockTime, instantIn, timeZoneOf, UTC } from "../../nouns/screeners/time-zones.ts";
import { countPending } from "../../nouns/sessions/queries.ts";
import type { Calls } from "../shell/calls.ts";
import { faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { stateOf, studyOf } from "../studies/handlers.ts";
import { copyTranslations } from "./copy-translations.ts";
import { renderNewStudy, type Settings } from "./new-study-page.tsx";
import { LABELS, renderStudy, type StudyView } from "./page.tsx";
import type { StudyFrame } from "./study-frame.tsx";
import { BLANK, TEMPLATES } from "./templates/registry.ts";
import { faultsOfSignals, shownSignals, signalsIn, typedSignals } from "./typed-signals.ts";

/** What the frame of a study's pages shows. @throws Problem screener_not_found */
export async function studyFrame(request: VisitorRequest): Promise<{ frame: StudyFrame; screener: Screener }> {
  const screener = await request.calls.get("getScreener", { id: request.params.id! });
  const { id, title } = screener;
  const { context, visitor } = request;
  const pending = context.workspaces.read(visitor.workspace_uid, (db) => countPending(db, id));
  const hasReviews = screener.review !== "NONE" || pending > 0;
  const frame = {
    base: request.base,
    signedIn: signedIn(request),
    id,
    title,
    state: stateOf(screener),
    hasReviews,
    pending,
  };
  return { frame, screener };
}

/** GET of a study. */
export async function showStudy(request: VisitorRequest): Promise<Reply> {
  const { frame, screener } = await studyFrame(request);
  const shown = settingsOf(screener);
  return replyWithStudy(request, frame, screener, { settings: shown, shown, faults: {} });
}

/** POST: changes the settings of a study. */
export async function changeStudy(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, base } = request;
  const { frame, screener } = await studyFrame(request);
  const settingsIn = (prefix: string): Settings => ({
    title: fields(`${prefix}title`),
    acceptance: unchecked(fields(`${prefix}acceptance`)),
    opensAt: fields(`${prefix}opensAt`),
    closesAt: fields(`${prefix}closesAt`),
    linkExpiresAt: fields(`${prefix}linkExpiresAt`),
    quotaHoldMinutes: fields(`${prefix}quotaHoldMinutes`),
    timeZone: fields(`${prefix}timeZone`),
    review: unchecked(fields(`${prefix}review`)),
  });
  const [typed, shown] = [settingsIn(""), settingsIn("was-")];
  const all = {
    title: typed.title.trim() || null,
    acceptance: typed.acceptance,
    opensAt: instantOf(typed, typed.opensAt),
    closesAt: instantOf(typed, typed.closesAt),
    linkExpiresAt: instantOf(typed, typed.linkExpiresAt),
    quotaHoldMinutes: minutesOf(typed.quotaHoldMinutes),
    timeZone: typed.timeZone,
    review: typed.review,
  } satisfies ScreenerChange;
  // What this form does not change, somebody else may have changed since it was opened.
  const names = Object.keys(all) as (keyof typeof all)[];
  const changed = names.filter((name) => typed[name] !== shown[name]);
  const body = Object.fromEntries(changed.map((name) => [name, all[name]]));
  try {
    await calls.send("changeScreener", { id: screener.id, body });
  } catch (error) {
    const faults = Object.entries(faultsOf(error, names)).map(([name, text]) => [
      name,
      names.reduce((words, member) => words.replace(member, LABELS[member]), text),
    ]);
    return replyWithStudy(request, frame, screener, { settings: typed, shown, faults: Object.fromEntries(faults) });
  }
  return redirect(`${base}/console/studies/${screener.id}?saved`);
}

/** POST: archives a study, or brings it back. */
export async function archiveStudy({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  await calls.send("changeScreener", { id: params.id!, body: { archived: fields("archived") === "yes" } });
  return redirect(`${base}/console/studies/${params.id}?saved`);
}

/** POST: switches signals on and off, and says from which number on each counts. */
export async function changeSignals(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields } = request;
  const { frame, screener } = await studyFrame(request);
  const { id } = screener;
  const signals = typedSignals(fields, screener.signals);
  try {
    await calls.send("changeScreener", { id, body: { signals: signalsIn(signals) } });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    const shown = settingsOf(screener);
    return replyWithStudy(request, frame, screener, {
      settings: shown,
      shown,
      signals,
      faults: faultsOfSignals(error),
    });
  }
  return redirect(`${base}/console/studies/${id}?saved`);
}

async function replyWithStudy(
  request: VisitorRequest,
  frame: StudyFrame,
  screener: Screener,
  form: Pick<StudyView, "settings" | "shown" | "faults"> & Partial<Pick<StudyView, "signals">>,
): Promise<Reply> {
  const study = await studyOf(request, screener);
  const curl = request.calls.curl("getScreener", { id: screener.id });
  const html = renderStudy(frame, {
    signals: shownSignals(screener.signals),
    ...form,
    study,
    isSaved: request.query.has("saved"),
    isArchived: screener.archived,
    curl,
    key: randomUUID(),
  });
  return page(Object.keys(form.faults).length ? 422 : 200, html);
}

/** What the fields show for a study. */
function settingsOf(screener: Screener): Settings {
  const { title, acceptance, opensAt, closesAt, linkExpiresAt, timeZone, review } = screener;
  const quotaHoldMinutes = String(screener.quotaHoldMinutes);
  const typed = (at: string | null) => (at === null ? "" : typedTime(timeZone, at));
  const times = { opensAt: typed(opensAt), closesAt: typed(closesAt), linkExpiresAt: typed(linkExpiresAt) };
  return { title: title ?? "", acceptance, ...times, quotaHoldMinutes, timeZone, review };
}

/** A time as a browser's field for date and time has it, by the clocks of a time zone. */
function typedTime(timeZone: string, at: string): string {
  const milliseconds = /\.\d+/.exec(at)?.[0] ?? "";
  return `${clockTime(timeZone, at)}${milliseconds}`.replace(/(?::00)?\.000$/, "");
}

/** What was typed as a time. The API says what is wrong with one that is none. */
function instantOf({ timeZone }: Settings, typed: string): string | null {
  const text = typed.trim();
  if (text === "") return null;
  // Forms of the release before had no time zone: they were in UTC.
  const zone = timeZoneOf(timeZone || UTC);
  return (zone && instantIn(zone, text)) ?? text;
}

/** What was typed as a number. The API says what is wrong with one that is none. */
function minutesOf(typed: string): number {
  const text = typed.trim();
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : unchecked(text);
}

/** GET of the form for a new study. */
export function showNewStudy(request: VisitorRequest): Reply {
  const form = { title: "", template: BLANK, key: randomUUID(), faults: {} };
  return page(200, renderNewStudy(request.base, signedIn(request), form));
}

/** POST: makes a study, of a template if one is chosen, and leads to its builder. */
export async function createStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields } = request;
  const [title, template, key] = [fields("title"), fields("template"), fields("key")];
  try {
    // The form may come back with another title, by the browser's Back.
    const headers = { "idempotency-key": hash("sha256", `${key} ${title}`) };
    const { value } = await calls.send("createScreener", { headers, body: { title: title.trim() } });
    const content = TEMPLATES.get(template)?.content;
    if (content) await putFirst(calls, value.id, content);
    return redirect(`${base}/console/studies/${value.id}/build`);
  } catch (error) {
    const faults = faultsOf(error, ["title"]);
    return page(422, renderNewStudy(base, signedIn(request), { title, template, key, faults }));
  }
}

/** POST: makes a study with the same draft. */
export async function duplicateStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const { title, description, timeZone } = await calls.get("getScreener", { id: params.id! });
  const content = await calls.get("getScreenerContent", { id: params.id! });
  const copy = [...`Copy of ${title ?? "a study"}`].slice(0, MAX_TITLE).join("");
  const headers = { "idempotency-key": hash("sha256", `${fields("key")} ${copy} ${description} ${timeZone}`) };
  const { value } = await calls.send("createScreener", { headers, body: { title: copy, description, timeZone } });
  if (await putFirst(calls, value.id, content)) await copyTranslations(calls, params.id!, value.id);
  return redirect(`${base}/console/studies/${value.id}/build`);
}

/** Writes the first draft of a study. @returns false when there is one: a form that is sent twice has written it already */
async function putFirst(calls: Calls, id: string, body: ScreenerContentInput): Promise<boolean> {
  try {
    await calls.send("putScreenerContent", { id, headers: { "if-match": '"0"' }, body });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === "precondition_failed") return false;
    throw error;
  }
}

/** Of a title, in characters. */
const MAX_TITLE = 500;
