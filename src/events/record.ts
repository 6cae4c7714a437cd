// Writes events. An event is written in the transaction that makes its change, so there is neither one without the other.

import { type CountedTable, countRow } from "../../db/list/counts.ts";
import type { SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { withRows } from "../../db/sqlite/reader.ts";
import { isCleanText, lengthOf } from "../base/clean-text.ts";
import { idAfter } from "../base/ids.ts";
import type { Actor } from "./actors.ts";
import { actorRow, SERVICE } from "./actors.ts";
import { type Notice, raiseNotice } from "./notices.ts";
import type { EventType } from "./types.ts";

/** What made a change: actor, request and job. */
export interface Cause {
  /** `participant`: the one whose session is the event's resource. */
  actor: Actor | "participant";
  requestId: string | null;
  jobUid: string | null;
  /** The note of the caller: X-Action-Note. */
  note: string | null;
}

/** The cause of what the service does by itself. */
export const BY_SERVICE: Cause = { actor: SERVICE, requestId: null, jobUid: null, note: null };

/** In characters. */
export const MAX_NOTE_CHARACTERS = 500;

/** What is wrong with a note; undefined: nothing. */
export function faultOfNote(note: string): string | undefined {
  if (lengthOf(note) > MAX_NOTE_CHARACTERS) return `must have at most ${MAX_NOTE_CHARACTERS} characters`;
  return isCleanText(note) ? undefined : "holds U+0000";
}

/** A member that has changed. */
export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

export interface NewEvent {
  type: EventType;
  resource: { type: string; uid: string };
  changes?: readonly Change[];
  /** Further details: numbers, and ids. */
  summary?: object;
  /** The time of the change, as the changed resource has it. Default: now. If the log is later, the summary keeps the time as `at`. */
  at?: Date;
  /** Whether it follows from another change: then the service is its actor. */
  byService?: true;
  /** Whether nobody else can qualify in the study that the summary names. */
  fillsStudy?: boolean;
}

/** Writes an event whose cause is known. */
export type RecordEvent = (event: NewEvent) => void;

export const countedEvents = {
  table: "event",
  facets: ["type", "actor_id"],
  // There are many combinations of facets, so larger blocks.
  blockBits: 13,
} as const satisfies CountedTable;

/** The log of events, for pages of it. */
export const eventLog = { ...countedEvents, time: "created_at" } as const;

/** The `actor_id` of participants. */
export const PARTICIPANT = 0;

/**
 * Adds an event to the log. Call it in the transaction that makes the change. `schema` is the name under which the workspace
 * store is attached. Ids rise with the log, whichever process writes it. @param wanted its id, if that is higher than the last one
 * @returns its id
 */
export function recordEvent(db: Writer, cause: Cause, event: NewEvent, schema = "main", wanted?: string): string {
  const actorId = actorIdOf(db, actorOf(cause, event), schema);
  const row = rowOf({ cause, event, actorId }, lastEvent(db, schema), wanted);
  append(db, [row], schema);
  return row.uid;
}

/** The same for a few events with one cause, in their order. Those of many who share a transaction are written together, before it ends. */
export function recordEvents(db: Writer, cause: Cause, events: readonly NewEvent[]): void {
  const actorIds = new Map<Cause["actor"], number>();
  let last: Last | undefined = (db.lateRows.at(-1) as EventRow | undefined) ?? lastEvent(db, "main");
  const rows = events.map((event) => {
    const actor = actorOf(cause, event);
    const actorId = actorIds.get(actor) ?? actorIdOf(db, actor, "main");
    actorIds.set(actor, actorId);
    const row = rowOf({ cause, event, actorId }, last);
    last = row;
    return row;
  });
  db.writeLate(rows, (all) => append(db, all, "main"));
}

/** The last event of a log. */
interface Last {
  id: number;
  uid: string;
  created_at: number;
}

function lastEvent(db: Writer, schema: string): Last | undefined {
  return db.get(`SELECT id, uid, created_at FROM ${schema}.event ORDER BY id DESC LIMIT 1`);
}

function actorOf(cause: Cause, event: NewEvent): Cause["actor"] {
  return event.byService ? SERVICE : cause.actor;
}

function actorIdOf(db: Writer, actor: Cause["actor"], schema: string): number {
  return actor === "participant" ? PARTICIPANT : actorRow(db, actor, schema);
}

/** An event as the log has it. */
interface EventRow extends Last {
  type: EventType;
  actorId: number;
  /** Of the columns after these, in their order. */
  more: SqlValue[];
  /** What it is a notice of, if it is one. */
  notice: Notice | undefined;
}

/** @param last what it comes after */
function rowOf(
  { cause, event, actorId }: { cause: Cause; event: NewEvent; actorId: number },
  last: Last | undefined,
  wanted?: string,
): EventRow {
  const at = event.at?.getTime() ?? Date.now();
  const lastUid = last?.uid ?? "";
  // The times of the log never go back, although clocks may, and pending events come late.
  const isLate = last !== undefined && at < last.created_at;
  const summary = isLate && event.at ? { ...event.summary, at: event.at.toISOString() } : event.summary;
  const id = (last?.id ?? 0) + 1;
  return {
    id,
    uid: wanted !== undefined && wanted > lastUid ? wanted : idAfter(lastUid),
    type: event.type,
    created_at: isLate ? last.created_at : at,
    actorId,
    more: [
      cause.requestId,
      cause.jobUid,
      event.resource.type,
      event.resource.uid,
      event.changes?.length ? JSON.stringify(event.changes) : null,
      summary ? JSON.stringify(summary) : null,
      event.byService ? null : cause.note,
    ],
    notice: noticeOf(event, cause, id),
  };
}

const valuesOf = ({ id, uid, type, created_at, actorId, more }: EventRow) => [
  id,
  uid,
  type,
  created_at,
  actorId,
  ...more,
];

/** So many rows are written with one statement: each number of them is a statement of its own. */
const WRITTEN_AT_ONCE = [64, 16, 4, 3, 2, 1];

/** Adds rows to the log, with few statements. */
function append(db: Writer, rows: readonly EventRow[], schema: string): void {
  const into = `INSERT INTO ${schema}.event (id, uid, type, created_at, actor_id, request_id, job_uid, resource_type, resource_uid, changes, summary, note)`;
  for (let at = 0; at < rows.length; ) {
    const count = WRITTEN_AT_ONCE.find((size) => size <= rows.length - at)!;
    db.run(withRows(into, 12, count), ...rows.slice(at, at + count).flatMap(valuesOf));
    at += count;
  }
  for (const { id, type, actorId, created_at, notice } of rows) {
    countRow(db, countedEvents, id, { type, actor_id: actorId }, 1, schema);
    if (notice) raiseNotice(db, notice, schema, created_at);
  }
}

/** What an event is a notice of. Undefined: nothing. */
function noticeOf(
  { type, resource, summary, fillsStudy }: NewEvent,
  { jobUid }: Cause,
  eventId: number,
): Notice | undefined {
  const said = (summary ?? {}) as { screenerId?: string; code?: string };
  const state = String(eventId);
  if (fillsStudy && said.screenerId) return { kind: "STUDY_FULL", subject: said.screenerId, state };
  if (type === "import.planned" && said.code) return { kind: "IMPORT_WAITS", subject: resource.uid, state, jobUid };
  return type === "webhook-endpoint.disabled" ? { kind: "WEBHOOK_FAILS", subject: resource.uid, state } : undefined;
}

/** Members of a resource that follow from the event itself, and are no changes of their own. */
const NO_CHANGES = new Set(["_type", "id", "createdBy", "createdAt", "updatedBy", "updatedAt"]);

/**
 * The differences between two states of a resource, as JSON texts; null: it does not exist. A member that is an object of
 * values is compared value by value: `attributes.site`.
 */
export function changesBetween(before: string | null, after: string | null): Change[] {
  if (before === null && after !== null) return firstChanges(JSON.parse(after));
  const [from, to] = [membersIn(before), membersIn(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((field) => {
    const [was = null, is = null] = [from.get(field), to.get(field)];
    return isEqual(was, is) ? [] : [{ field, from: was, to: is }];
  });
}

/** The same of a resource that did not exist. @param after as its JSON has it */
export function firstChanges(after: object): Change[] {
  const known = membersOf(after).filter(([, to]) => to !== null);
  return known.map(([field, to]) => ({ field, from: null, to }));
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other);
}

const membersIn = (json: string | null) => new Map(json === null ? [] : membersOf(JSON.parse(json)));

function membersOf(resource: object): [name: string, value: unknown][] {
  const found: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(resource)) {
    if (NO_CHANGES.has(name)) continue;
    if (name === "attributes") {
      for (const [key, attribute] of Object.entries(value as object)) found.push([`${name}.${key}`, attribute]);
    } else found.push([name, value]);
  }
  return found;
}
