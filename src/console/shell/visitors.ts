// Who visits the console: the cookies of a browser, and the session behind them.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { Problem } from "../../base/problems.ts";
import type { Context } from "../../http/context.ts";
import { findVisitor, MAX_SESSION_MS, touchSession, type VisitorRow } from "../../workspaces/console-sessions.ts";
import { requireStill } from "../../workspaces/moving.ts";

/** The uses of a session are kept to this. */
const TOUCH_MS = 5 * 60_000;
const TOUCH_WAIT_MS = 1000;

/**
 * Of a session, of the forms before the sign-in, of a sign-in at the OpenID provider that is under way, of who has signed in
 * before (attempts.ts), and of who has given the password, and not the code yet (second-step.ts).
 */
type Cookie = "session" | "form" | "oidc" | "known" | "second";

/** How long the browser keeps it, in seconds; undefined: until it is closed. */
const AGES: Record<Cookie, number | undefined> = {
  session: MAX_SESSION_MS / 1000,
  form: undefined,
  oidc: 10 * 60,
  known: 180 * 24 * 3600,
  second: 10 * 60,
};

/** A browser with a live session. */
export interface Visitor extends VisitorRow {
  cookie: string;
}

/**
 * The names of our cookies. Where people come by HTTPS, browsers take a name with this prefix only from this host itself, and
 * send it by HTTPS alone.
 */
function cookieName(kind: Cookie, publicUrl: string): string {
  return `${publicUrl.startsWith("https:") ? "__Host-" : ""}console-${kind}`;
}

/** What the values look like that we make. */
const VALUES: Record<Cookie, RegExp> = {
  session: /^[\w-]{43}$/,
  form: /^[\w-]{43}$/,
  oidc: /^[\w-]{43}\.[\w-]+$/,
  known: /^[\w-]{43}$/,
  second: /^\d{1,15}\.\d{13}\.[\w-]{43}$/,
};

/** The value of a cookie that a browser sends; undefined: none that can be ours. */
export function readCookie(req: IncomingMessage, kind: Cookie, publicUrl: string): string | undefined {
  const name = cookieName(kind, publicUrl);
  for (const pair of (req.headers.cookie ?? "").split(";")) {
    const [given, value = ""] = pair.trim().split("=", 2);
    if (given === name && VALUES[kind].test(value)) return value;
  }
  return undefined;
}

/** The header that gives a cookie to the browser; without a value, it takes the cookie away. */
export function setCookie(kind: Cookie, value: string | undefined, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  const age = value === undefined ? 0 : AGES[kind];
  const maxAge = age === undefined ? "" : `; Max-Age=${age}`;
  return `${cookieName(kind, publicUrl)}=${value ?? ""}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge}`;
}

/** The value of a new cookie. */
export function newCookie(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The visitor of a request; undefined: not signed in.
 * @param db the writer in a transaction, which may have changed it
 * @throws Problem 403 when the workspace is suspended; 503 when it is moving
 */
export function visitorOf(
  { control, config, log }: Context,
  req: IncomingMessage,
  db: Reader = control.reader,
): Visitor | undefined {
  const cookie = readCookie(req, "session", config.publicUrl);
  if (cookie === undefined) return undefined;
  const now = Date.now();
  const row = findVisitor(db, cookie, now);
  if (!row) return undefined;
  requireStill(db, row.workspace_uid, row.moving);
  if (row.suspended_at !== null) throw new Problem("workspace_suspended");
  if (now - row.last_used_at > TOUCH_MS) {
    whenFree(control.writer, TOUCH_WAIT_MS, () => touchSession(control.writer, row.id, now)).catch((error) =>
      log.warn({ err: error }, "recording when a session was used failed"),
    );
  }
  return { ...row, cookie };
}
