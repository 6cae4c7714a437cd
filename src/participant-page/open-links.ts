// /w/<workspace>/o/<token>: links that are open to everybody. Who sends the first page joins, and goes on at a link of their own.

import type { Reader } from "../../db/sqlite/connection.ts";
import { networkOf } from "../base/failure-limit.ts";
import { markOf } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { type Cause, type NewEvent, recordEvent, recordEvents } from "../events/record.ts";
import { asProblem } from "../http/wire/errors.ts";
import type { Reply } from "../http/wire/reply.ts";
import { noteMail } from "../mail/notes.ts";
import { findUnconfirmed, hasWaited } from "../mail/unconfirmed.ts";
import { findUnchanged, getLinkAgain } from "../nouns/links/queries.ts";
import { type Arrival, type FoundLink, findOpenLink, keyOf } from "./admission.ts";
import { speechAsked } from "./asked.ts";
import { keepUntilConfirmed, takeConfirmed } from "./confirming.ts";
import { endingWith } from "./ending.ts";
import { CONFIRM_FIELD, type Form, readForm } from "./input.ts";
import {
  admitNow,
  type Joined,
  type Reviewed,
  reviewJoining,
  showJoining,
  showUnjoined,
  takeJoining,
} from "./joining.ts";
import { findJoined, findJoinedAs, findOpened, getSlug } from "./queries.ts";
import { answer, folderOf, redirect, withCookies } from "./replies.ts";
import { cookiesFor, findKey, miss, type PageRequest, visitorAt } from "./requests.ts";
import type { Visit } from "./visit.ts";

export const OPEN_LINK = "/w/:workspace/o/:token";

/** GET of an open link: the first page of its study; or, in a browser that has joined, the session's own link. It changes nothing. */
export function openOpenLink(request: PageRequest): Reply | Promise<Reply> {
  const found = findOpenLink(request);
  if (!found) return miss(request);
  const { workspaces, published } = request.context;
  const token = new URLSearchParams(request.querystring).get(CONFIRM_FIELD);
  if (token !== null) return showConfirmation(request, found, token);
  const { shown, opened } = workspaces.read(found.workspace.uid, (db) =>
    db.snapshot(() => ({
      shown: joinedBefore(db, request, found) ?? showJoining(db, published, found.arrival),
      opened: findOpened(db, found.arrival.link)!,
    })),
  );
  const compared = { screener: opened.screener_uid, signals: opened.signals };
  return withCookies(replyAt(request, found, shown, true), cookiesFor(request, found.workspace, compared));
}

/** POST of an open link: the first page, from somebody who joins. */
export async function joinByLink(request: PageRequest): Promise<Reply> {
  const found = findOpenLink(request, request.knownLinks);
  if (!found) return miss(request);
  const form = await readForm(request.ctx.req);
  const { known } = found.arrival;
  if (known && form.confirmation === undefined) {
    const reviewed = request.context.workspaces.read(
      found.workspace.uid,
      (db) => reviewJoining(db, request.context.published, found.arrival, form),
      true,
    );
    const reply = "given" in reviewed ? await joinReviewed(request, found, form, reviewed) : undefined;
    if (reply) return reply;
    // It is not as it was, or nobody joins with this form: which of both is read now.
  }
  const read = known ? findOpenLink(request) : found;
  return read ? joinAsRead(request, read, form) : miss(request);
}

/** Somebody joins, or does not, by a link that was read just now. */
async function joinAsRead(request: PageRequest, found: FoundLink, form: Form): Promise<Reply> {
  const { workspaces, published, mail } = request.context;
  const { workspace, arrival } = found;
  if (form.confirmation !== undefined) return confirmJoin(request, found, form.confirmation);
  if (arrival.link.confirms_email && !mail) throw new Problem("mail_not_configured");
  const look = (db: Reader) =>
    joinedBefore(db, request, found) ?? joinedWith(db, found, form) ?? reviewJoining(db, published, arrival, form);
  const looked = workspaces.read(workspace.uid, (db) => db.snapshot(() => look(db)), true);
  if (!("given" in looked)) return replyAt(request, found, looked);
  const reply = (await joinReviewed(request, found, form, looked))!;
  const { link } = arrival;
  if (link.one_each === "NONE" && !link.confirms_email) {
    const { opened, answering } = looked;
    request.knownLinks.set(keyOf(found), { link, opened, publication: answering.publication });
  }
  return reply;
}

/** Takes a form that was looked at. @returns undefined: what was known of the link is not as it was, and nothing was done */
async function joinReviewed(
  request: PageRequest,
  found: FoundLink,
  form: Form,
  reviewed: Reviewed,
): Promise<Reply | undefined> {
  const { context, ctx, joins } = request;
  const { workspaces, published, config, cell } = context;
  const { workspace, arrival } = found;
  const who = `${networkOf(ctx.ip)} ${arrival.link.token}`;
  try {
    await joins.count(who);
  } catch (limit) {
    // A form that was sent twice leads to its session, however many have joined.
    const before = arrival.known && workspaces.read(workspace.uid, (db) => joinedWith(db, found, form));
    if (before) return replyAt(request, found, before);
    return sendBack(request, found, form, limit);
  }
  const cause: Cause = { actor: "participant", requestId: ctx.state.requestId, jobUid: null, note: null };
  let hasJoined = false;
  try {
    if (arrival.link.confirms_email) await noteMail(context.control, workspace.uid, config.writeWaitMs);
    const taken = await workspaces.writeWhenFree(
      workspace.uid,
      config.writeWaitMs,
      (db): Shown | undefined => {
        hasJoined = false;
        // As it is now: others may have joined meanwhile.
        const link = arrival.known ? findUnchanged(db, arrival.link) : getLinkAgain(db, arrival.link);
        if (!link) return undefined;
        const now = { ...arrival, link, known: undefined };
        const mark = markOf(cell, workspace.uid);
        const before = joinedWith(db, found, form);
        if (before) return before;
        const joinable = admitNow(db, published, now, form, { link: arrival.link, reviewed });
        if ("kind" in joinable) return joinable;
        hasJoined = true;
        if (!now.link.confirms_email) {
          const screener = joinable.opened.screener_uid;
          const visitor = visitorAt(request, screener, form, () => findKey(request, workspace, screener));
          const events: NewEvent[] = [];
          const noted = (event: NewEvent) => void events.push(event);
          const joined = takeJoining(db, now, form, { joinable, mark, visitor }, noted);
          recordEvents(db, cause, events);
          return joined;
        }
        keepUntilConfirmed(db, now, form, joinable);
        return mailed(now);
      },
      true,
    );
    if (!hasJoined) {
      request.knownLinks.delete(keyOf(found));
      await joins.forgive(who);
    }
    if (arrival.link.confirms_email) context.mail?.mailer.kick(workspace.uid);
    return taken && (await replyAt(request, found, taken));
  } catch (error) {
    return sendBack(request, found, form, error);
  }
}

/** Says that a link was mailed: the same whoever has that email, and whether a message has left. */
function mailed({ asked }: Arrival): Visit {
  return { kind: "ending", ...endingWith("confirmSent", speechAsked(asked)) };
}

/** GET of the link that was mailed. It changes nothing, and shows nobody the session. */
function showConfirmation(request: PageRequest, found: FoundLink, token: string): Reply | Promise<Reply> {
  const { workspace, arrival } = found;
  const row = request.context.workspaces.read(workspace.uid, (db) => findUnconfirmed(db, arrival.link.id, token));
  if (!row) return miss(request);
  const speech = speechAsked({ ...arrival.asked, lang: arrival.asked.lang ?? row.language });
  return replyAt(request, found, { kind: "ending", ...endingWith("confirm", speech), token });
}

/** POST of it: the email is confirmed. Somebody who is known goes on as that person; somebody who is not joins. */
async function confirmJoin(request: PageRequest, found: FoundLink, token: string): Promise<Reply> {
  const { context, ctx } = request;
  const { workspaces, published, config, cell } = context;
  const { workspace, arrival } = found;
  const cause: Cause = { actor: "participant", requestId: ctx.state.requestId, jobUid: null, note: null };
  const shown = await workspaces.writeWhenFree(workspace.uid, config.writeWaitMs, (db): Shown | undefined => {
    const row = findUnconfirmed(db, arrival.link.id, token);
    if (!row) return undefined;
    const now = { ...arrival, link: getLinkAgain(db, arrival.link) };
    return takeConfirmed(
      db,
      published,
      now,
      row,
      markOf(cell, workspace.uid),
      (event) => void recordEvent(db, cause, event),
    );
  });
  return shown ? replyAt(request, found, shown) : miss(request);
}

/** What somebody sees who has not joined; or the session of somebody who has, and what it shows (null: its own link says it). */
type Shown = Visit | Joined;

/** Shows the page again, with everything that was typed: the store was busy, or too many join from there. @throws every other error */
async function sendBack(request: PageRequest, found: FoundLink, form: Form, error: unknown): Promise<Reply> {
  const { status, code, headers } = asProblem(error);
  if (status !== 503 && status !== 429) throw error;
  const { log, workspaces, published } = request.context;
  if (status === 503) log.warn({ requestId: request.ctx.state.requestId, err: error }, code);
  const visit = workspaces.read(found.workspace.uid, (db) =>
    db.snapshot(() => showUnjoined(db, published, { ...found.arrival, known: undefined }, form)),
  );
  const reply = await replyAt(request, found, visit);
  return { ...reply, status: visit.kind === "page" ? status : reply.status, headers: { ...reply.headers, ...headers } };
}

async function replyAt(request: PageRequest, found: FoundLink, shown: Shown, isFirst = false): Promise<Reply> {
  const { workspace, address } = found;
  if (!("session" in shown)) return answer({ ...request, action: address }, workspace, shown, isFirst);
  const { screener, session, visit } = shown;
  const own = { ...request, params: { ...request.params, screener, session } };
  const reply = visit
    ? await answer(own, workspace, visit)
    : redirect(`${folderOf(request, workspace)}/screeners/${screener}/${session}`);
  if (found.arrival.link.one_each !== "BROWSER") return reply;
  const slug = request.context.workspaces.read(workspace.uid, (db) => getSlug(db, session));
  return { ...reply, cookies: [cookieOf(request, found, slug)] };
}

const COOKIE = "joined";
/** Browsers keep none for longer. */
const MAX_AGE_DAYS = 400;

/** The session by which a browser has joined before, where the link lets each browser join once. */
function joinedBefore(db: Reader, { ctx }: PageRequest, { arrival: { link } }: FoundLink): Joined | undefined {
  if (link.one_each !== "BROWSER") return undefined;
  const slug = ctx.cookies.get(COOKIE);
  const joined = slug && findJoinedAs(db, link.id, slug);
  return joined ? { ...joined, visit: null } : undefined;
}

/** The session that the same form has made: it was sent twice, or its reply was lost. Each page that is shown has an order of its own. */
function joinedWith(db: Reader, { arrival }: FoundLink, { order }: Form): Shown | undefined {
  const { link } = arrival;
  // Who knows a form has typed an email, and does not have its mail: nothing leads to the session but the link there.
  if (link.confirms_email) return order !== undefined && hasWaited(db, link.id, order) ? mailed(arrival) : undefined;
  const joined = order === undefined ? undefined : findJoined(db, link.id, order);
  return joined && { ...joined, visit: null };
}

/** A cookie that only this link gets, until the link closes. */
function cookieOf({ context }: PageRequest, { arrival: { link }, path }: FoundLink, value: string): string {
  const secure = context.config.publicUrl.startsWith("https:") ? "; Secure" : "";
  const last = Date.now() + MAX_AGE_DAYS * 24 * 3_600_000;
  const expires = new Date(link.closes_at === null ? last : Math.min(last, Date.parse(link.closes_at)));
  return `${COOKIE}=${value}; Path=${path}; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secure}`;
}
