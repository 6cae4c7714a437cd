// Ways into the store for tests: what HTTP can't do, such as issuing a token, or keeping everyone from writing.

import { countRow, recountRow } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isBusy } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import type { Stores } from "../../src/engine/threads/side-task.ts";
import { recordEvent } from "../../src/events/record.ts";
import { countedMessages } from "../../src/mailings/resource.ts";
import { expiring } from "../../src/main/registry.ts";
import { getSession, type SessionRow } from "../../src/nouns/sessions/queries.ts";
import { countedSessions } from "../../src/nouns/sessions/resource.ts";
import { withdrawSession } from "../../src/screening/lifecycle.ts";
import { issueKey, issueToken } from "../../src/workspaces/issue.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import type { Scope } from "../../src/workspaces/rights.ts";
import { Client } from "./client.ts";
import { hold } from "./hold.ts";
import type { Service } from "./service.ts";

/** What the upkeep of a service works on. @param opened the connections: by default the service's own */
export function storesOf(
  { config, context }: Service,
  { control, workspaces }: Pick<Stores, "control" | "workspaces"> = context,
): Stores {
  return { ...config, control, workspaces, expiring };
}

/** Removes the events of a new workspace, so that a test finds in the log what it writes itself. */
export function emptyLog(workspaces: Workspaces, workspaceUid: string): void {
  workspaces.write(workspaceUid, (db) => db.exec("DELETE FROM event; DELETE FROM event_block"));
}

/** Changes the control store as soon as nobody else does: threads note there how jobs go. */
export function inControl<T>({ context }: Pick<Service, "context">, change: (db: Writer) => T): Promise<T> {
  const { writer } = context.control;
  return whenFree(writer, 5000, () => change(writer));
}

/** Issues a token for a user of the client's workspace. */
export function tokenFor(
  service: Service,
  client: Client,
  userName: string,
  expiresAt: number | null = null,
): Promise<ReturnType<typeof issueToken>> {
  const { id } = findWorkspace(service.context.control.reader, client.workspaceId)!;
  return inControl(service, (db) => issueToken(db, id, { userName, expiresAt }));
}

/** A client of the same workspace, with a key of its own that has these scopes alone. */
export async function withScopes(service: Service, client: Client, scopes: Scope[]): Promise<Client> {
  const { id } = findWorkspace(service.context.control.reader, client.workspaceId)!;
  const key = { name: scopes.join(), expiresAt: null, scopes };
  const { apiKey, apiSecret } = await inControl(service, (db) => issueKey(db, id, key));
  return new Client(client.url, client.workspaceId, { apiKey, apiSecret });
}

/** A paused mailing of a screener, with a message to a participant that waits. @returns its id */
export function pausedMailing(
  { context: { workspaces } }: Pick<Service, "context">,
  { workspaceId }: Client,
  { screener, participant }: { screener: string; participant: string },
): string {
  const uid = newId();
  const step = { afterDays: 0, subject: "Hello", body: "{{link}}", translations: [] };
  const now = new Date().toISOString();
  writeTo(workspaces, workspaceId, (db) => {
    const actor = db.value<number>("SELECT min(id) FROM actor WHERE type = 'ApplicationActor'")!;
    db.run(
      `INSERT INTO mailing (uid, screener_id, name, kind, status, paused_because, texts, recipients, resends_uncertain, created_by, created_at,
         updated_by, updated_at) SELECT ?, id, 'Invitation', 'INVITATION', 'PAUSED', 'PERSON', ?, '{}', 0, ?, ?, ?, ? FROM screener WHERE uid = ?`,
      ...[uid, JSON.stringify({ language: "en", steps: [step] }), actor, now, actor, now, screener],
    );
    const { lastInsertRowid } = db.run(
      `INSERT INTO message (uid, kind, mailing_id, step, participant_id, language, due_at, created_at)
       SELECT ?, 'MAILING', m.id, 0, p.id, '', ?, ? FROM mailing AS m, participant AS p WHERE m.uid = ? AND p.uid = ?`,
      ...[newId(), Date.parse("2090-01-01"), Date.now(), uid, participant],
    );
    const mailing_id = db.value<number>("SELECT id FROM mailing WHERE uid = ?", uid)!;
    countRow(db, countedMessages, Number(lastInsertRowid), { mailing_id, state: "READY" }, 1);
  });
  return uid;
}

/** How long a request waits for a lock that a test holds on purpose. */
const SHORT_WAIT_MS = 50;

/** Lets requests wait for locks only for a moment, while a test holds one. @returns a function that lets them wait as long as before */
export function waitBriefly({ config }: Pick<Service, "config">): () => void {
  const { writeWaitMs } = config;
  config.writeWaitMs = SHORT_WAIT_MS;
  return () => {
    config.writeWaitMs = writeWaitMs;
  };
}

/**
 * Keeps everyone else from writing to the client's workspace. Requests give up soon, if they are to see that it is busy.
 * @returns a function that releases the lock; calling it twice is safe
 */
export function holdWrites(service: Service, client: Client, { isSeenBusy = false } = {}): () => void {
  const ends = [hold(service.config.dataDir, client.workspaceId)];
  if (isSeenBusy) ends.push(waitBriefly(service));
  return () => {
    for (const end of ends.splice(0)) end();
  };
}

/** Puts a session into a state, and moves its count along. */
export function setSession(
  db: Writer,
  uid: string,
  { status, state, outcome = null }: { status?: string; state: string; outcome?: string | null },
): void {
  const session = db.get<SessionRow>("SELECT * FROM screener_session WHERE uid = ?", uid)!;
  const now = new Date().toISOString();
  recountRow(db, countedSessions, session.id, session, { status: status ?? session.status, state });
  db.run(
    `UPDATE screener_session SET status = coalesce(?, status), state = ?, outcome = ?, started_at = ?, last_active_at = ?,
       completed_at = ? WHERE id = ?`,
    status ?? null,
    state,
    outcome,
    now,
    now,
    state === "COMPLETED" ? now : null,
    session.id,
  );
}

/** The number generator of a test: the same numbers, from 0 up to 1, each time. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Has the participant of a session withdraw. */
export function withdraw({ context: { workspaces } }: Service, client: Client, session: string): void {
  workspaces.write(client.workspaceId, (db) =>
    withdrawSession(db, getSession(db, session), (event) => {
      const cause = { actor: "participant", requestId: null, jobUid: null, note: null } as const;
      recordEvent(db, cause, event);
    }),
  );
}

/** Changes a workspace's store as soon as nobody else does: a thread may index what a job has written. @throws Error after 5 s */
export function writeTo<T>(workspaces: Workspaces, uid: string, change: (db: Writer) => T): T {
  const deadline = performance.now() + 5000;
  for (;;)
    try {
      return workspaces.write(uid, change);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}
