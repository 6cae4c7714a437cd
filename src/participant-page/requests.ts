// A request for a participant's page: what all handlers use, the workspace of its link, and what is counted.

import { setTimeout as sleep } from "node:timers/promises";
import type { ParameterizedContext } from "koa";
import { LRUCache } from "lru-cache";
import { FailureLimit } from "../base/failure-limit.ts";
import { withoutMark } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import type { Context } from "../http/context.ts";
import type { Reply } from "../http/wire/reply.ts";
import { browserCookie, browserIn, cookieIn, newBrowser, visitorMarks } from "../signals/browsers.ts";
import type { Visitor } from "../signals/found/find.ts";
import { type KeyedHash, keyedHash } from "../signals/keyed-hash.ts";
import { findScreenerKey } from "../signals/keys.ts";
import { signalsOf } from "../signals/settings.ts";
import { findMoved, MovedAway, requireStill } from "../workspaces/moving.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import { Remembered } from "../workspaces/remembered.ts";
import type { Form } from "./input.ts";
import type { Known } from "./queries.ts";
import { folderOf } from "./replies.ts";

/** How many wrong links an address may open in a minute before it has to wait. */
export const MAX_MISSES = 100;

/** How many may join by one link from one address in a minute: a hall full of people has one address. */
const MAX_JOINS = 300;

interface Limits {
  /** Counts wrong links, by address. */
  misses: FailureLimit;
  /** Counts those who join, by address and link. */
  joins: FailureLimit;
}

/** What all handlers use. */
interface Shared extends Limits {
  context: Context;
  /** What comes before /w in URLs: the path of PUBLIC_URL. */
  base: string;
  /** By the ids in links. */
  workspaces: Remembered<WorkspaceRow>;
  /** By the ids of workspaces and screeners: the secrets by which they compare browsers, of those that have one. */
  screenerKeys: Remembered<{ hash: KeyedHash | undefined }>;
  /**
   * Open links by which somebody has joined, by the ids of workspaces and their tokens: what was read then. It lets somebody come as far as the lock,
   * where it is read whether all is still so.
   */
  knownLinks: LRUCache<string, Known>;
}

const MAX_KNOWN_LINKS = 500;

export function newShared(context: Context, base: string): Shared {
  const { reader } = context.control;
  return {
    context,
    base,
    misses: new FailureLimit("broken-links", MAX_MISSES),
    joins: new FailureLimit("joins", MAX_JOINS),
    workspaces: new Remembered(reader),
    screenerKeys: new Remembered(reader),
    knownLinks: new LRUCache({ max: MAX_KNOWN_LINKS }),
  };
}

/** A request for a page. */
export interface PageRequest extends Shared {
  params: Record<string, string>;
  querystring: string;
  ctx: ParameterizedContext;
}

/** The same answer for every wrong link: unknown, malformed, or another screener's. @throws Problem 404; 429 after many */
export async function miss({ ctx, misses }: PageRequest): Promise<never> {
  await misses.count(ctx.ip);
  throw new Problem("screener_session_not_found");
}

/**
 * The link's workspace. We look it up first, so that text from a URL never becomes a file's name.
 * @throws Problem 403 when it is suspended, 503 when it moves; MovedAway
 */
export function workspaceOf({ context, workspaces, params, ctx }: PageRequest): WorkspaceRow | undefined {
  const { reader } = context.control;
  const uid = withoutMark(params.workspace!);
  const known = workspaces.get(uid);
  const workspace = known ?? findWorkspace(reader, uid);
  if (workspace && !known) workspaces.set(uid, workspace);
  if (!workspace || workspace.moving === "MOVED") {
    const cell = findMoved(reader, uid);
    if (cell !== undefined) throw new MovedAway(cell);
  }
  if (workspace) {
    requireStill(reader, uid, workspace.moving);
    ctx.state.workspace = workspace.uid;
    context.turns.note(workspace.uid);
  }
  if (workspace?.suspended_at) throw new Problem("workspace_suspended");
  return workspace;
}

/** A workspace that moves is away for about a second. A person need not know, and keeps what was typed. */
const MOVE_WAIT_MS = 3000;
const MOVE_PAUSE_MS = 50;

/** Handles a request, or waits with it while its workspace moves: nothing of it has been read then. */
export function patiently(handle: () => Reply | Promise<Reply>): Reply | Promise<Reply> {
  const deadline = performance.now() + MOVE_WAIT_MS;
  const later = async (error: unknown): Promise<Reply> => {
    const isMoving = error instanceof Problem && error.code === "workspace_moving";
    if (!isMoving || performance.now() >= deadline) throw error;
    await sleep(MOVE_PAUSE_MS);
    return attempt();
  };
  const attempt = (): Reply | Promise<Reply> => {
    try {
      const reply = handle();
      return reply instanceof Promise ? reply.catch(later) : reply;
    } catch (error) {
      return later(error);
    }
  };
  return attempt();
}

/** How long browsers keep the cookie by which a study compares them: as long as marks are kept. */
const BROWSER_DAYS = 90;

/**
 * The secret by which a screener compares browsers; undefined: it has none. To read a key, and to make one of its bytes, takes longer than all hashes
 * of a submission, and so does asking whether it is still the same: in the round in which the workspace was found, that is known.
 */
export function findKey(
  { context, screenerKeys }: Shared,
  workspace: WorkspaceRow,
  screenerUid: string,
): KeyedHash | undefined {
  const name = `${workspace.uid}/${screenerUid}`;
  const known = screenerKeys.get(name);
  if (known) return known.hash;
  const bytes = findScreenerKey(context.control.reader, workspace.uid, screenerUid);
  const hash = bytes && keyedHash(bytes);
  screenerKeys.set(name, { hash });
  return hash;
}

/** What the submission of a page knows of the browser. It is looked at only where the study has that switched on. */
export function visitorAt(
  { ctx }: PageRequest,
  screenerUid: string,
  form: Form,
  findHash: () => KeyedHash | undefined,
): Visitor {
  return {
    isTrapped: form.hasTrap,
    marks() {
      const key = findHash();
      return key ? visitorMarks(key, cookieIn(ctx.req.headers.cookie, browserCookie(screenerUid)), ctx.ip) : {};
    },
  };
}

/** The cookie that a page of a study sets, if it compares browsers and this one has none yet. @param signals as the screener's column has it */
export function cookiesFor(
  request: PageRequest,
  workspace: WorkspaceRow,
  { screener, signals }: { screener: string; signals: string | null },
): string[] {
  if (!signalsOf(signals)?.sameBrowser) return [];
  const { context, ctx } = request;
  const name = browserCookie(screener);
  const key = findKey(request, workspace, screener);
  if (!key || browserIn(cookieIn(ctx.req.headers.cookie, name), key) !== undefined) return [];
  const secure = context.config.publicUrl.startsWith("https:") ? "; Secure" : "";
  const lasting = `Path=${folderOf(request, workspace)}/; Max-Age=${BROWSER_DAYS * 24 * 3600}`;
  return [`${name}=${newBrowser(key)}; ${lasting}; HttpOnly; SameSite=Lax${secure}`];
}
