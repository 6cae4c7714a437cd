// How a signal is shown to those who review: its kind, and what it rests on.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { referenceSql } from "../base/references.ts";
import { timestamp, uuid } from "../base/schemas.ts";
import { countOthers, type Evidence, isCompared } from "./queries.ts";
import { SIGNALS, type SignalKind } from "./settings.ts";

const said = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(v.pipe(schema, v.description(description)));

const Signal = v.pipe(
  v.object({
    kind: v.picklist(SIGNALS),
    at: timestamp,
    pages: said(v.number(), "HURRIED: how many pages were timed of which others' times are known"),
    fasterPages: said(v.number(), "HURRIED: how many of them were faster than the share of their median"),
    seconds: said(v.number(), "HURRIED: how long these pages were open"),
    medianSeconds: said(v.number(), "HURRIED: the medians of these pages, added up"),
    others: said(v.number(), "SAME_…: how many other people there are by now, at most 20"),
    screenerPageIds: said(v.array(uuid), "ATTENTION_CHECK, CONTRADICTION: the pages whose rule holds"),
    screenerQuestionIds: said(v.array(uuid), "STRAIGHT_LINES, SAME_TEXT: the questions"),
    otherReference: said(uuid, "SAME_…: the reference of one of the other sessions"),
  }),
  v.title("ScreenerSessionSignal"),
);

type ShownSignal = v.InferOutput<typeof Signal>;

export const ShownSignals = v.array(Signal);

/** So many other people are counted. */
const MAX_OTHERS = 20;

/** The signals of a session, in the order of their kinds. */
export function listSignals(db: Reader, sessionUid: string): ShownSignal[] {
  const session = db.get<{ id: number; participant: number }>(
    "SELECT id, participant_id AS participant FROM screener_session WHERE uid = ?",
    sessionUid,
  );
  if (!session) return [];
  const rows = db.all<{ kind: SignalKind; evidence: string; created_at: number; other: string | null }>(
    `SELECT g.kind, g.evidence, g.created_at, coalesce(o.reference, ${referenceSql("o.uid")}) AS other
     FROM signal AS g LEFT JOIN screener_session AS o ON o.id = g.other_session_id WHERE g.session_id = ?`,
    session.id,
  );
  return rows
    .sort((one, other) => SIGNALS.indexOf(one.kind) - SIGNALS.indexOf(other.kind))
    .map(({ kind, evidence, created_at, other }) => ({
      kind,
      at: new Date(created_at).toISOString(),
      ...(JSON.parse(evidence) as Evidence),
      // The one that it names is there. What they are compared by goes on the same day, or a day before.
      ...(isCompared(kind) && { others: Math.max(countOthers(db, kind, session, MAX_OTHERS), 1) }),
      ...(other !== null && { otherReference: other }),
    }));
}
