// The messages that were written to one participant, for the export of everything about the person.

import * as v from "valibot";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { exampleIds } from "../../base/examples.ts";
import { id, timestamp } from "../../base/schemas.ts";

export const ParticipantMessage = v.pipe(
  v.object({
    _type: v.literal("ParticipantMessage"),
    id,
    kind: v.pipe(v.string(), v.description("MAILING, or what a single message is for: MY_LINK")),
    mailingId: v.nullable(id),
    screenerId: v.nullable(id),
    step: v.pipe(
      v.nullable(v.number()),
      v.description("Of a mailing: 0 is the first message, then come the reminders"),
    ),
    state: v.string(),
    reply: v.pipe(v.nullable(v.string()), v.description("What the relay has said, or why it was not sent")),
    createdAt: timestamp,
    endedAt: v.nullable(timestamp),
  }),
  v.title("ParticipantMessage"),
);

type Message = v.InferOutput<typeof ParticipantMessage>;

/** Every message that was written to a participant, or waits, the first one first. */
export function listMessages(db: Reader, participantId: number): Message[] {
  const rows = db.all<Omit<Message, "_type" | "createdAt" | "endedAt"> & { created: number; ended: number | null }>(
    `SELECT m.uid AS id, m.kind, l.uid AS mailingId, s.uid AS screenerId, m.step, m.state, m.reply, m.created_at AS created, m.ended_at AS ended
     FROM message AS m LEFT JOIN mailing AS l ON l.id = m.mailing_id LEFT JOIN screener_session AS e ON e.id = m.screener_session_id
       LEFT JOIN screener AS s ON s.id = coalesce(l.screener_id, e.screener_id) WHERE m.participant_id = ? ORDER BY m.id`,
    participantId,
  );
  const time = (ms: number) => new Date(ms).toISOString();
  return rows.map(({ created, ended, ...row }) => ({
    ...{ _type: "ParticipantMessage", ...row },
    createdAt: time(created),
    endedAt: ended === null ? null : time(ended),
  }));
}

export const messageExample: Message = {
  _type: "ParticipantMessage",
  id: exampleIds.mailingMessage,
  kind: "MAILING",
  mailingId: exampleIds.mailing,
  screenerId: exampleIds.screener,
  step: 0,
  state: "SENT",
  reply: "250 2.0.0 Ok: queued as 4D2A1C0F",
  createdAt: "2026-01-31T12:00:00.000Z",
  endedAt: "2026-01-31T12:00:01.000Z",
};
