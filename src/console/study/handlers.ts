// The page of a study: its state and its settings. And the pages that make a study, or a copy of one.

import { hash, randomUUID } from "node:crypto";
import { Problem } from "../../base/problems.ts";
import type { Screener, ScreenerChange } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { refusalOf } from "../../nouns/screeners/queries.ts";
import { faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { studyOf } from "../studies/handlers.ts";
import { renderNewStudy, type Settings } from "./new-study-page.tsx";
import { LABELS, renderStudy, type StudyView } from "./page.tsx";
import type { StudyFrame } from "./study-frame.tsx";

/** What the frame of a study's pages shows. @throws Problem screener_not_found */
export async function studyFrame(request: VisitorRequest): Promise<{ frame: StudyFrame; screener: Screener }> {
  const screener = await request.calls.get("getScreener", { id: request.params.id! });
  const { id, title, acceptance, opensAt, closesAt, activePublicationId } = screener;
  const refusal = refusalOf({ acceptance, opens_at: opensAt, closes_at: closesAt });
  const state = activePublicationId === null ? "draft" : (refusal ?? "live");
  return { frame: { base: request.base, signedIn: signedIn(request), id, title, state }, screener };
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
  });
  const [typed, shown] = [settingsIn(""), settingsIn("was-")];
  const all = {
    title: typed.title.trim() || null,
    acceptance: typed.acceptance,
    opensAt: instantOf(typed.opensAt),
    closesAt: instantOf(typed.closesAt),
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
      text.replace("opensAt", LABELS.opensAt).replace("closesAt", LABELS.closesAt),
    ]);
    return replyWithStudy(request, frame, screener, { settings: typed, shown, faults: Object.fromEntries(faults) });
  }
  return redirect(`${base}/console/studies/${screener.id}?saved`);
}

async function replyWithStudy(
  request: VisitorRequest,
  frame: StudyFrame,
  screener: Screener,
  form: Pick<StudyView, "settings" | "shown" | "faults">,
): Promise<Reply> {
  const study = await studyOf(request, screener);
  const curl = request.calls.curl("getScreener", { id: screener.id });
  const html = renderStudy(frame, {
    ...form,
    study,
    isSaved: request.query.has("saved"),
    curl,
    key: randomUUID(),
  });
  return page(Object.keys(form.faults).length ? 422 : 200, html);
}

/** What the fields show for a study. */
function settingsOf({ title, acceptance, opensAt, closesAt }: Screener): Settings {
  return { title: title ?? "", acceptance, opensAt: typedTime(opensAt), closesAt: typedTime(closesAt) };
}

/** A time as a browser's field for date and time has it, in UTC. */
function typedTime(at: string | null): string {
  return at === null ? "" : at.replace(/(?::00)?\.000Z$|Z$/, "");
}

/** What was typed as a time, in UTC. The API says what is wrong with one that is none. */
function instantOf(typed: string): string | null {
  const text = typed.trim();
  return text === "" ? null : `${/T\d\d:\d\d$/.test(text) ? `${text}:00` : text}Z`;
}

/** GET of the form for a new study. */
export function showNewStudy(request: VisitorRequest): Reply {
  return page(200, renderNewStudy(request.base, signedIn(request), { title: "", key: randomUUID(), faults: {} }));
}

/** POST: makes a study, and leads to its builder. */
export async function createStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields } = request;
  const [title, key] = [fields("title"), fields("key")];
  try {
    // The form may come back with another title, by the browser's Back.
    const headers = { "idempotency-key": hash("sha256", `${key} ${title}`) };
    const { value } = await calls.send("createScreener", { headers, body: { title: title.trim() } });
    return redirect(`${base}/console/studies/${value.id}/build`);
  } catch (error) {
    const faults = faultsOf(error, ["title"]);
    return page(422, renderNewStudy(base, signedIn(request), { title, key, faults }));
  }
}

/** POST: makes a study with the same draft. */
export async function duplicateStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const { title, description } = await calls.get("getScreener", { id: params.id! });
  const content = await calls.get("getScreenerContent", { id: params.id! });
  const copy = [...`Copy of ${title ?? "a study"}`].slice(0, MAX_TITLE).join("");
  const headers = { "idempotency-key": hash("sha256", `${fields("key")} ${copy} ${description}`) };
  const { value } = await calls.send("createScreener", { headers, body: { title: copy, description } });
  try {
    await calls.send("putScreenerContent", { id: value.id, headers: { "if-match": '"0"' }, body: content });
  } catch (error) {
    // A form that is sent twice has copied it already.
    if (!(error instanceof Problem && error.code === "precondition_failed")) throw error;
  }
  return redirect(`${base}/console/studies/${value.id}/build`);
}

/** Of a title, in characters. */
const MAX_TITLE = 500;
