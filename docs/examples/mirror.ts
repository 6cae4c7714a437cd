// What the events of a workspace mean for a copy of its participants, screener participants and sessions (follow-feed.ts).

import { DatabaseSync } from "node:sqlite";

export type Item = Record<string, unknown> & { id: string };

interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

export interface Event {
  id: string;
  type: string;
  createdAt: string;
  actor: { _type: string; id: string; name: string };
  jobId: string | null;
  sequence: number;
  resource: { _type: string; id: string };
  changes: Change[];
  summary: Record<string, unknown> | null;
}

export interface Row {
  externalUid: string | null;
  outcome: string;
  assigned: boolean;
  participantId: string | null;
  screenerParticipantId: string | null;
  status: string | null;
  sessionId: string | null;
  changes: Change[];
}

/** What an email or an externalUid is called that went from a person to another one, when the first was erased. */
const ERASED = "[erased]";

const NEW_SESSION = {
  _type: "ScreenerSession",
  screenerId: null,
  screenerParticipantId: null,
  screenerPublicationId: null,
  linkSlug: null,
  status: null,
  state: null,
  outcomeReason: null,
  startedAt: null,
  lastActiveAt: null,
  completedAt: null,
  createdAt: null,
  assignedTags: [],
  reference: null,
  isTest: false,
  outcomeQuotaIds: [],
  screenerLinkId: null,
  arms: [],
  language: null,
  withdrawnAt: null,
  withdrawnConsents: [],
  answersErasedAt: null,
  review: null,
};

/** Opens the copy, and makes it if there is none. */
export function openMirror(file: string): void {
  mirror = new DatabaseSync(file, { timeout: 5000 });
  mirror.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS cursor (id TEXT, sequence INTEGER NOT NULL, log_id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS event (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS participant (id TEXT PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS assignment (id TEXT PRIMARY KEY, participant_id TEXT NOT NULL, screener_id TEXT NOT NULL, json TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, participant_id TEXT NOT NULL, screener_id TEXT NOT NULL,
    assignment_id TEXT NOT NULL, json TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS assignment_participant ON assignment (participant_id);
  CREATE INDEX IF NOT EXISTS session_participant ON session (participant_id);
  CREATE INDEX IF NOT EXISTS session_assignment ON session (assignment_id);
`);
}

let mirror: DatabaseSync;
const run = (sql: string, ...values: (string | number | null)[]) => mirror.prepare(sql).run(...values);
const find = (sql: string, ...values: string[]) =>
  mirror.prepare(sql).get(...values) as Record<string, string> | undefined;

/** The last event that was applied: its id (null: the log is empty), its sequence, and its log. */
export interface Cursor {
  id: string | null;
  sequence: number;
  logId: string;
}

/** Where the copy is; undefined before the beginning. */
export function cursor(): Cursor | undefined {
  return mirror.prepare(`SELECT id, sequence, log_id AS "logId" FROM cursor`).get() as Cursor | undefined;
}

/** Keeps the cursor, in the transaction that keeps what came before it: so nothing is missed, and nothing comes twice. */
export function keepCursor({ id, sequence, logId }: Cursor, applied: readonly Event[]): void {
  for (const event of applied) run("INSERT INTO event (id) VALUES (?)", event.id);
  run("DELETE FROM cursor");
  run("INSERT INTO cursor (id, sequence, log_id) VALUES (?, ?, ?)", id, sequence, logId);
}

/** Whether a page of the feed follows on what was applied: of the same log, and without a gap. */
export function follows(
  last: Cursor | undefined,
  { items, logId }: { items: readonly Event[]; logId: string },
): boolean {
  if (last && last.logId !== logId) return false;
  return items.every(({ sequence }, index) => sequence === (last?.sequence ?? 0) + 1 + index);
}

/** Does all of it, or nothing. */
export async function inTransaction(work: () => Promise<void>): Promise<void> {
  mirror.exec("BEGIN IMMEDIATE");
  try {
    await work();
    mirror.exec("COMMIT");
  } catch (error) {
    mirror.exec("ROLLBACK");
    throw error;
  }
}

/** Applies an event. @param read what the copy needs besides the event @returns false: the rows of its job are no longer kept */
export async function apply(event: Event, read: Read): Promise<boolean> {
  const { type, resource, changes } = event;
  if (type === "participant.created") {
    create(resource.id, event, changes);
    await takeErased(resource.id, changes, read);
  } else if (type === "participant.updated") {
    change("participant", resource.id, [...changes, ...updated(event)]);
    await takeErased(resource.id, changes, read);
  } else if (type === "participant.erased") {
    run("DELETE FROM session WHERE participant_id = ?", resource.id);
    run("DELETE FROM assignment WHERE participant_id = ?", resource.id);
    run("DELETE FROM participant WHERE id = ?", resource.id);
  } else if (type === "screener.deleted") {
    run("DELETE FROM session WHERE screener_id = ?", resource.id);
    run("DELETE FROM assignment WHERE screener_id = ?", resource.id);
  } else if (type === "workspace.sandbox-reset") {
    for (const table of ["session", "assignment", "participant"]) run(`DELETE FROM ${table}`);
  } else if (type === "screener-participant.removed") unassign(resource.id);
  else if (type === "screener-session.created") open(resource.id, changes);
  else if (type.startsWith("screener-session.")) changeSession(resource.id, changes);
  const applyRow = BY_ROWS[type];
  if (!applyRow) return true;
  const rows = await read.rows(event.jobId!);
  if (!rows) return false;
  for await (const row of rows) {
    applyRow(row, event);
    const { participantId, externalUid } = row;
    const whole = { field: "externalUid", from: null, to: externalUid };
    if (participantId !== null && HAS_CHANGED.includes(row.outcome) && !isGone(row))
      await takeErased(participantId, [whole, ...row.changes], read);
  }
  return true;
}

export interface Read {
  /** The rows of a job; undefined: they are no longer kept. */
  rows(jobId: string): Promise<AsyncIterable<Row> | undefined>;
  /** A participant as it is now; undefined: it is gone. */
  participant(id: string): Promise<Item | undefined>;
}

/** The outcomes of rows that change a participant. */
const HAS_CHANGED = ["CREATED", "UPDATED", "REVERTED"];

/** Takes a participant as it is now, where a change does not say what it has come to. Later events change it as they do all that is newer. */
async function takeErased(id: string, changes: readonly Change[], read: Read): Promise<void> {
  if (!changes.some(({ to }) => to === ERASED)) return;
  const item = await read.participant(id);
  if (item) put(item);
  else run("DELETE FROM participant WHERE id = ?", id);
}

/** Whether a participant went with what was undone. */
function isGone({ outcome, changes }: Row): boolean {
  return outcome === "REVERTED" && changes.some(({ field, to }) => field === "externalUid" && to === null);
}

/** What the rows of a job mean, by its event. */
const BY_ROWS: Record<string, (row: Row, event: Event) => void> = {
  "import.completed": imported,
  "import.undone": undone,
  "screener-participants.removed": imported,
  "screener-participants.removal-undone": undone,
  "screener-sessions.opened": (row) => {
    if (row.sessionId !== null) open(row.sessionId, row.changes);
  },
  "screener-sessions.moved": moved,
  "screener-sessions.moved-back": moved,
};

/** What was not moved back has no changes. */
function moved({ sessionId, changes }: Row): void {
  if (sessionId !== null) changeSession(sessionId, changes);
}

function imported(row: Row, event: Event): void {
  const { participantId, screenerParticipantId: id } = row;
  // Of a person who was erased since, there are no ids.
  if (participantId === null) return;
  if (row.outcome === "CREATED")
    create(participantId, event, [{ field: "externalUid", from: null, to: row.externalUid }, ...row.changes]);
  if (row.outcome === "UPDATED") change("participant", participantId, [...row.changes, ...updated(event)]);
  if (row.outcome === "REMOVED") unassign(id!);
  if (row.assigned) assign(id!, participantId, event.resource.id, "NOT_STARTED", null);
}

function undone(row: Row, event: Event): void {
  const { participantId, screenerParticipantId: id, changes } = row;
  if (row.outcome !== "REVERTED" || participantId === null) return;
  if (id !== null && !row.assigned) unassign(id);
  if (isGone(row)) run("DELETE FROM participant WHERE id = ?", participantId);
  else if (changes.some(({ field }) => field === "externalUid")) create(participantId, event, changes);
  else if (changes.length)
    change("participant", participantId, [...changes, ...updated(event).filter(({ field }) => field === "updatedAt")]);
  if (id === null || !row.assigned) return;
  assign(id, participantId, event.resource.id, row.status!, row.sessionId);
  run(
    `UPDATE session SET json = json_set(json, '$.status', 'ACTIVE') WHERE assignment_id = ? AND json ->> 'status' = 'ARCHIVED'`,
    id,
  );
}

/** Who changed a participant, and when. */
function updated({ actor, createdAt, summary }: Event): Change[] {
  const at = summary?.at ?? createdAt;
  return [
    { field: "updatedBy", from: null, to: actor },
    { field: "updatedAt", from: null, to: at },
  ];
}

function create(id: string, event: Event, changes: readonly Change[]): void {
  // Without changes, the person was erased since.
  if (!changes.length) return;
  const [by, at] = updated(event);
  const first = { createdBy: by!.to, createdAt: at!.to, updatedBy: by!.to, updatedAt: at!.to };
  put({
    _type: "Participant",
    id,
    externalUid: null,
    email: null,
    name: null,
    ...first,
    doNotContact: null,
    attributes: {},
  });
  change("participant", id, changes);
}

function assign(id: string, participantId: string, screenerId: string, status: string, session: string | null): void {
  put({ _type: "ScreenerParticipant", id, screenerId, participantId, currentSessionId: session, status });
}

/** Removes an assignment. Its sessions stay, and take no more answers. */
function unassign(id: string): void {
  run("DELETE FROM assignment WHERE id = ?", id);
  run(
    `UPDATE session SET json = json_set(json, '$.status', 'ARCHIVED') WHERE assignment_id = ? AND json ->> 'status' = 'ACTIVE'`,
    id,
  );
}

function open(id: string, changes: readonly Change[]): void {
  const given = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const assignment = find("SELECT participant_id FROM assignment WHERE id = ?", String(given.screenerParticipantId));
  // The person, or the screener, is gone since.
  if (!assignment) return;
  put(
    { ...NEW_SESSION, id, screenerId: given.screenerId, screenerParticipantId: given.screenerParticipantId },
    assignment.participant_id,
  );
  changeSession(id, changes);
}

/** Changes a session, and what follows from it for its assignment. */
function changeSession(id: string, changes: readonly Change[]): void {
  change("session", id, changes);
  const session = find("SELECT assignment_id FROM session WHERE id = ?", id);
  const prefix = "screenerParticipant.";
  const derived = changes.filter(({ field }) => field.startsWith(prefix));
  if (session)
    change(
      "assignment",
      session.assignment_id!,
      derived.map((one) => ({ ...one, field: one.field.slice(prefix.length) })),
    );
}

/** Changes what is there, in the members that it has. */
function change(table: string, id: string, changes: readonly Change[]): void {
  const found = find(`SELECT json FROM ${table} WHERE id = ?`, id);
  if (!found) return;
  const item = JSON.parse(found.json!) as Item & { attributes?: Record<string, unknown> };
  for (const { field, to } of changes) {
    if (field.startsWith("attributes.")) {
      if (to === null) delete item.attributes![field.slice("attributes.".length)];
      else item.attributes![field.slice("attributes.".length)] = to;
    } else if (field in item) item[field] = to;
  }
  run(`UPDATE ${table} SET json = ? WHERE id = ?`, JSON.stringify(item), id);
}

/** Keeps an item as it is now. @param participantId of a session */
function put(item: Item, participantId = String(item.participantId)): void {
  const json = JSON.stringify(item);
  const { id } = item;
  if (item._type === "Participant") run("INSERT OR REPLACE INTO participant (id, json) VALUES (?, ?)", id, json);
  else if (item._type === "ScreenerParticipant")
    run("INSERT OR REPLACE INTO assignment VALUES (?, ?, ?, ?)", id, participantId, String(item.screenerId), json);
  else {
    const of = [participantId, String(item.screenerId), String(item.screenerParticipantId)];
    run("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?)", id, ...of, json);
  }
}

/** Takes all from the lists. They are newer than the event that is about to be applied; later ones are then applied anew. */
export async function takeLists(read: (path: string) => AsyncIterable<Item>): Promise<void> {
  for (const table of ["participant", "assignment", "session"]) run(`DELETE FROM ${table}`);
  const byExternalUid = new Map<unknown, string>();
  for await (const item of read("/participants")) {
    byExternalUid.set(item.externalUid, item.id);
    put(item);
  }
  for await (const { id, participantId, screenerId, status, currentSessionId } of read("/screener-participants"))
    assign(id, String(participantId), String(screenerId), String(status), currentSessionId as string | null);
  for await (const item of read("/screener-sessions")) {
    const session = Object.entries(item).filter(([name]) => name === "id" || name in NEW_SESSION);
    put(Object.fromEntries(session) as Item, byExternalUid.get(item.externalParticipantUid) ?? "");
  }
}
