// Everything that a workspace has about one participant, as one JSON. A thread reads it, because the data for undoing jobs
// has no index on participants.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { exampleIds } from "../base/examples.ts";
import { uuid7Time } from "../base/ids.ts";
import { id, timestamp } from "../base/schemas.ts";
import { listUnsubscriptions } from "../contacts/unsubscriptions.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { mailHashSql } from "../nouns/mail-suppressions/hash.ts";
import { mailSuppression } from "../nouns/mail-suppressions/resource.ts";
import { participantNote } from "../nouns/participant-notes/resource.ts";
import { participantRequest } from "../nouns/participant-requests/resource.ts";
import { listMessages, messageExample, ParticipantMessage } from "../nouns/participants/messages.ts";
import { participant } from "../nouns/participants/resource.ts";
import { response } from "../nouns/responses/resource.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import { session } from "../nouns/sessions/resource.ts";

const DID = ["CREATED", "UPDATED", "ASSIGNED", "REMOVED"] as const;

const touch = v.pipe(
  v.object({
    _type: v.literal("ParticipantImport"),
    jobId: id,
    screenerId: id,
    appliedAt: timestamp,
    did: v.array(v.picklist(DID)),
    formerValues: v.nullable(v.record(v.string(), v.unknown())),
  }),
  v.title("ParticipantImport"),
);

const pageTime = v.pipe(
  v.object({ _type: v.literal("PageTime"), screenerSessionId: id, screenerPageId: id, seconds: v.number() }),
  v.title("PageTime"),
);

const Unsubscription = v.pipe(
  v.object({
    _type: v.literal("Unsubscription"),
    screenerId: v.pipe(v.nullable(id), v.description("The study that they want no mail about; null: any")),
    createdAt: timestamp,
  }),
  v.title("Unsubscription"),
);

export const ParticipantExport = v.pipe(
  v.object({
    _type: v.literal("ParticipantExport"),
    exportedAt: timestamp,
    participant: participant.schema,
    screenerParticipants: v.array(assignment.schema),
    sessions: v.array(session.schema),
    responses: v.array(response.schema),
    pageTimes: v.array(pageTime),
    imports: v.array(touch),
    requests: v.array(participantRequest.schema),
    notes: v.array(participantNote.schema),
    unsubscriptions: v.array(Unsubscription),
    mailSuppressions: v.array(mailSuppression.schema),
    messages: v.array(ParticipantMessage),
  }),
  v.title("ParticipantExport"),
);

export const exampleExport = {
  _type: "ParticipantExport",
  exportedAt: "2026-01-31T12:00:00.000Z",
  participant: participant.example,
  screenerParticipants: [assignment.example],
  sessions: [session.example],
  responses: [response.example],
  pageTimes: [
    {
      _type: "PageTime",
      screenerSessionId: exampleIds.session,
      screenerPageId: exampleIds.page,
      seconds: 42.5,
    },
  ],
  imports: [
    {
      _type: "ParticipantImport",
      jobId: exampleIds.job,
      screenerId: exampleIds.screener,
      appliedAt: "2026-01-30T09:00:00.000Z",
      did: ["UPDATED", "ASSIGNED"],
      formerValues: { name: "Ada King" },
    },
  ],
  requests: [participantRequest.example],
  notes: [participantNote.example],
  unsubscriptions: [{ _type: "Unsubscription", screenerId: null, createdAt: "2026-01-31T12:00:00.000Z" }],
  mailSuppressions: [],
  messages: [messageExample],
};

interface ExportInput {
  workspaceUid: string;
  participantUid: string;
  appUrl: string;
}

/** @returns the export as JSON; undefined without such a participant */
export const exportParticipant: SideTask<ExportInput, string | undefined> = {
  name: "export-participant",
  perform: ({ workspaces }, { workspaceUid, participantUid, appUrl }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => exportOf(db, participantUid, appUrl))),
};

function exportOf(db: Reader, uid: string, appUrl: string): string | undefined {
  const found = db.get<Exported>("SELECT id, uid, created_at FROM participant WHERE uid = ?", uid);
  if (!found) return undefined;
  const list = (items: readonly string[]) => `[${items.join()}]`;
  const ofSessions = "SELECT s.id FROM screener_session AS s WHERE s.participant_id = ?";
  const lists = {
    screenerParticipants: db.values<string>(
      `SELECT ${assignment.json} FROM ${assignment.from} WHERE t.participant_id = ? ORDER BY t.id`,
      found.id,
    ),
    sessions: db.values<string>(
      `SELECT ${session.json} FROM ${session.from} WHERE t.participant_id = ? ORDER BY t.id`,
      ...session.parameters(appUrl),
      found.id,
    ),
    responses: db.values<string>(
      `SELECT ${response.json} FROM ${response.from} WHERE t.screener_session_id IN (${ofSessions}) ORDER BY t.id`,
      found.id,
    ),
    pageTimes: db.values<string>(
      `SELECT json_object('_type', 'PageTime', 'screenerSessionId', s.uid,
         'screenerPageId', c.json ->> ('$.pages[' || substr(t.key, 2) || '].id'), 'seconds', t.value / 1000.0)
       FROM screener_session AS s JOIN publication_content AS c USING (screener_publication_id), json_each(s.page_times) AS t
       WHERE s.participant_id = ? ORDER BY s.id`,
      found.id,
    ),
    imports: importsOf(db, found).map((one) => JSON.stringify(one)),
    requests: db.values<string>(
      `SELECT ${participantRequest.json} FROM ${participantRequest.from} WHERE t.participant_id = ? ORDER BY t.id`,
      found.id,
    ),
    notes: db.values<string>(
      `SELECT ${participantNote.json} FROM ${participantNote.from} WHERE t.participant_id = ? ORDER BY t.id`,
      found.id,
    ),
    unsubscriptions: listUnsubscriptions(db, found.id).map((one) =>
      JSON.stringify({ _type: "Unsubscription", ...one }),
    ),
    mailSuppressions: db.values<string>(
      `SELECT ${mailSuppression.json} FROM (SELECT email AS address FROM participant WHERE id = ?) AS a
       CROSS JOIN (${mailSuppression.from}) ON t.hash = ${mailHashSql("a.address")}`,
      found.id,
    ),
    messages: listMessages(db, found.id).map((one) => JSON.stringify(one)),
  };
  const members = [
    `"_type":"ParticipantExport","exportedAt":"${new Date().toISOString()}"`,
    `"participant":${participant.find(db, uid)}`,
    ...Object.entries(lists).map(([name, items]) => `"${name}":${list(items)}`),
  ];
  return `{${members.join()}}`;
}

interface Exported {
  id: number;
  uid: string;
  created_at: string;
}

/** What imports and undos did to the participant, as far as it is kept to undo them. */
function importsOf(db: Reader, { id: rowid, uid, created_at }: Exported): v.InferOutput<typeof touch>[] {
  const assigned = db.all<{ uid: string; screener_id: number }>(
    "SELECT uid, screener_id FROM screener_participant WHERE participant_id = ?",
    rowid,
  );
  const effects = db.all<{
    jobUid: string;
    screener_id: number;
    screenerUid: string;
    stamp: string;
    is_creator: 0 | 1;
    kind: string | null;
    json: string | null;
    assignment_kind: string | null;
  }>(
    `SELECT f.job_uid AS jobUid, f.screener_id, s.uid AS screenerUid, f.stamp, p.kind, p.json, a.kind AS assignment_kind,
       ? > f.participants_after AND ? <= f.participants_to AND f.stamp = ? AS is_creator
     FROM effect AS f JOIN screener AS s ON s.id = f.screener_id
     LEFT JOIN effect_participant AS p ON p.effect_id = f.id AND p.participant_id = ?
     LEFT JOIN (SELECT effect_id, kind FROM effect_assignment WHERE participant_uid = ?) AS a ON a.effect_id = f.id
     -- Without those whose job is not decided.
     WHERE f.stamp <> ''
     ORDER BY f.id`,
    rowid,
    rowid,
    created_at,
    rowid,
    uid,
  );
  return effects.flatMap(({ jobUid, screener_id, screenerUid, stamp, is_creator, kind, json, assignment_kind }) => {
    const time = uuid7Time(new Date(stamp));
    const isAssigned = assigned.some((one) => one.screener_id === screener_id && one.uid.startsWith(time));
    const did = [
      ...(is_creator || kind === "ADDED" ? ["CREATED" as const] : []),
      ...(kind === "CHANGED" ? ["UPDATED" as const] : []),
      ...(isAssigned || assignment_kind === "ADDED" ? ["ASSIGNED" as const] : []),
      ...(assignment_kind === "REMOVED" ? ["REMOVED" as const] : []),
    ];
    if (!did.length) return [];
    const formerValues = kind === "CHANGED" && json !== null ? formerOf(json) : null;
    return [
      {
        _type: "ParticipantImport" as const,
        jobId: jobUid,
        screenerId: screenerUid,
        appliedAt: stamp,
        did,
        formerValues,
      },
    ];
  });
}

function formerOf(json: string): Record<string, unknown> {
  const former: Record<string, unknown> = JSON.parse(json);
  return typeof former.attributes === "string" ? { ...former, attributes: JSON.parse(former.attributes) } : former;
}
