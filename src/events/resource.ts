// The resource Event: its JSON, and the list of all events of a workspace.

import * as v from "valibot";
import type { Filter } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { exampleActor, exampleIds } from "../base/examples.ts";
import {
  cellsOf,
  json,
  millisecondsAsTimestamp,
  nullable,
  number,
  openWords,
  RANGE,
  text,
  uid,
  word,
} from "../base/members.ts";
import { type List, logList, resource } from "../base/resource.ts";
import { uuid } from "../base/schemas.ts";
import { LOG_ID } from "./log.ts";
import { eventLog, PARTICIPANT } from "./record.ts";
import { eventTypes } from "./types.ts";

/** The actor of a change. */
const EventActor = v.pipe(
  v.object({
    _type: v.picklist(["ApplicationActor", "TenantUserActor", "ScreenerSessionActor", "OperatorActor", "ServiceActor"]),
    id: uuid,
    name: v.string(),
  }),
  v.title("EventActor"),
  v.description(
    "An API key, a user, a participant in a session (the id is the session's), an operator at the command line, or the service itself",
  ),
);

export const EventResource = v.pipe(v.object({ _type: v.string(), id: uuid }), v.title("EventResource"));

export const EventChange = v.pipe(
  v.object({ field: v.string(), from: v.unknown(), to: v.unknown() }),
  v.title("EventChange"),
  v.description("A member that has changed. An attribute is `attributes.<key>`. null: none"),
);

const summary = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description("What there is to say besides: counts, and ids of what else was made"),
);

/** Rowids of the log begin with 1 and have no gaps: they need no column of their own. */
const sequence = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.description(
    "Its number in the log: 1 for the first event of the workspace, and one more for each that follows, without a gap",
  ),
);

export const LOG_ID_DESCRIPTION =
  "Which log `sequence` counts in. It changes when a backup is restored: what came after the backup is lost, and its numbers come again";

export const event = resource({
  type: "Event",
  // What an event of each type has besides is described in src/api/event-schemas.ts.
  title: "EventMembers",
  from: "event AS t LEFT JOIN actor AS a ON a.id = t.actor_id",
  members: {
    id: uid("t.uid", ["eq", "in"]),
    type: openWords(word(eventTypes)("t.type", ["eq", "ne", "in", "nin"])),
    createdAt: millisecondsAsTimestamp("t.created_at", RANGE),
    actor: json(
      "coalesce(a.json, json_object('_type', 'ScreenerSessionActor', 'id', t.resource_uid, 'name', 'Participant'))",
      EventActor,
      cellsOf("_type", "id", "name"),
    ),
    requestId: nullable(text("t.request_id")),
    jobId: nullable(uid("t.job_uid", ["eq", "in"])),
    resource: json(
      "json_object('_type', t.resource_type, 'id', t.resource_uid)",
      EventResource,
      cellsOf("_type", "id"),
    ),
    changes: json("coalesce(t.changes, '[]')", v.array(EventChange), { "": cellOfChanges }),
    summary: nullable(json("t.summary", summary, { "": (value) => (value === null ? null : JSON.stringify(value)) })),
    note: nullable(text("t.note")),
    sequence: number("t.id", sequence),
    logId: uid(LOG_ID),
  },
  example: {
    id: exampleIds.event,
    type: "participant.updated",
    createdAt: "2026-01-31T12:00:00.000Z",
    actor: exampleActor,
    requestId: "req_2b0e7d51",
    jobId: null,
    resource: { _type: "Participant", id: exampleIds.participant },
    changes: [{ field: "name", from: "Ada King", to: "Ada Lovelace" }],
    summary: null,
    note: "Asked for by mail",
    sequence: 41,
    logId: exampleIds.log,
  },
});

const all = logList("events", eventLog, event);

const ACTOR_COLUMN = "actor_id";

/** Filters events by actor. A participant is found by the id of the session. */
function withActors(db: Reader, filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter) => {
    const [uid] = filter.values;
    if (filter.by.column !== ACTOR_COLUMN || isActor(db, uid!)) return [filter];
    return [
      { by: { column: ACTOR_COLUMN }, operator: "eq", values: [String(PARTICIPANT)] },
      { by: { column: "resource_uid" }, operator: "eq", values: [uid!] },
    ];
  });
}

function isActor(db: Reader, uid: string): boolean {
  return db.value("SELECT 1 FROM actor WHERE uid = ?", uid) !== undefined;
}

/** The list of a workspace's events. */
export const eventList: List = {
  ...all,
  filters: {
    ...all.filters,
    actorId: {
      operators: ["eq"],
      values: "uuid",
      // The service and operators have no id of their own.
      by: { column: ACTOR_COLUMN, references: { table: "actor", by: "uid", many: true } },
    },
    resourceId: { operators: ["eq", "in"], values: "uuid", by: { column: "resource_uid" } },
  },
  page: (db, filters, page) => all.page(db, withActors(db, filters), page),
  longRead: (db, filters, page) => all.longRead!(db, withActors(db, filters), page),
  slices: (db, filters) => all.slices(db, withActors(db, filters)),
};

function cellOfChanges(changes: unknown): string {
  const shown = (value: unknown) =>
    value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return (changes as v.InferOutput<typeof EventChange>[])
    .map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`)
    .join("; ");
}
