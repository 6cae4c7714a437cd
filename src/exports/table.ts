// The export: the answers to a screener as one table, with a row for each started session, and columns for each question, each quota,
// each assignment to arms, each order by chance and each attribute of participants.

import type { InferOutput } from "valibot";
import type { Slices } from "../../db/list/slices.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { attributeKeys } from "../base/attributes.ts";
import type { Cell } from "../base/members.ts";
import { attributeCell } from "../nouns/participants/attribute-members.ts";
import { answerCell, typeOf } from "../nouns/question-types/registry.ts";
import type { shownChoices } from "../nouns/question-types/select.ts";
import { listPlacesOf } from "../nouns/quotas/place-queries.ts";
import { listAnswers } from "../nouns/responses/queries.ts";
import { type StartedFilters, type StartedSession, sliceStarted } from "../nouns/sessions/started.ts";
import { orderCells } from "./orders.ts";
import type { TablePlan } from "./plan.ts";
import type { Slot } from "./slots.ts";

const TEST_COLUMN = "session.isTest";
const WITHDRAWN_COLUMN = "session.withdrawnAt";

/** The first columns. A question's key has no point, so it never equals one of these headings. */
export const SESSION_COLUMNS: [
  heading: string,
  name: Exclude<keyof StartedSession, "attributes" | "isTest" | "withdrawnAt" | "arms" | "seed" | "shuffleVersion">,
][] = [
  ["session.id", "uid"],
  ["participant.externalUid", "externalUid"],
  ["participant.id", "participantUid"],
  ["publication.version", "version"],
  ["publication.id", "publicationUid"],
  ["session.status", "status"],
  ["session.state", "state"],
  ["session.outcome", "outcome"],
  ["session.outcomeReason", "outcomeReason"],
  ["session.startedAt", "startedAt"],
  ["session.lastActiveAt", "lastActiveAt"],
  ["session.completedAt", "completedAt"],
  ["session.judgedOutcome", "judged"],
  ["session.overriddenBy", "overriddenBy"],
  ["session.overrideReason", "overrideReason"],
  ["session.overriddenAt", "overriddenAt"],
  ["session.language", "language"],
  ["session.link", "link"],
  ["session.review", "review"],
  ["session.reviewedBy", "reviewedBy"],
  ["session.reviewReason", "reviewReason"],
  ["session.reviewedAt", "reviewedAt"],
  ["session.signals", "signals"],
];

// Limits of a slice, so that it takes only some milliseconds.
const MAX_SLICE_CELLS = 8000;
const MAX_SLICE_SESSIONS = 200;
/** Working an order out takes as long as so many cells. */
const ORDER_IN_CELLS = 10;

/** A table that can be read. */
interface ExportTable {
  headings: string[];
  /** In the order in which the sessions were opened. */
  rows: Slices<Cell[]>;
}

export function exportTable(db: Reader, screenerUid: string, plan: TablePlan, wanted: StartedFilters): ExportTable {
  const keys = attributeKeys(db);
  const headings = [
    ...SESSION_COLUMNS.map(([heading]) => heading),
    ...plan.headings,
    ...plan.quotas.map(({ heading }) => heading),
    ...plan.arms.map(({ heading }) => heading),
    ...plan.orderHeadings,
    ...keys.map((key) => `attributes.${key}`),
    // The last ones, so that the others stay where they are.
    ...(wanted.includesWithdrawn ? [WITHDRAWN_COLUMN] : []),
    ...(wanted.includesTests ? [TEST_COLUMN] : []),
  ];
  const cells = headings.length + ORDER_IN_CELLS * plan.orderHeadings.length;
  const rows = Math.min(Math.ceil(MAX_SLICE_CELLS / cells), MAX_SLICE_SESSIONS);
  const sessions = sliceStarted(db, screenerUid, wanted, rows);
  return {
    headings,
    rows: {
      next(reader) {
        const slice = sessions.next(reader)?.map((json): StartedSession => JSON.parse(json));
        return slice && rowsOf(reader, slice, plan, keys, wanted);
      },
    },
  };
}

function rowsOf(
  db: Reader,
  sessions: readonly StartedSession[],
  plan: TablePlan,
  keys: readonly string[],
  { includesTests, includesWithdrawn }: StartedFilters,
): Cell[][] {
  const ids = sessions.map(({ id }) => id);
  const answers = Map.groupBy(listAnswers(db, ids), ({ session }) => session);
  const places = placesOf(db, ids, plan);
  return sessions.flatMap((session) => {
    const given = answers.get(session.id) ?? [];
    // Undefined if it was published after the columns were planned.
    const slots = plan.publications.get(session.publicationId);
    // A removed session without answers counts as never started.
    if (!slots || (session.status === "REMOVED" && !given.length)) return [];
    const row: Cell[] = SESSION_COLUMNS.map(([, name]) => session[name]);
    row.length += plan.headings.length;
    row.push(...plan.quotas.map(({ id }) => places.get(`${session.id} ${id}`)));
    row.push(...plan.arms.map(({ assignmentId, arms }) => arms.get(session.arms?.[assignmentId] ?? "")));
    const orders = plan.orders.get(session.publicationId)!;
    const answered = given.map(({ position }) => position);
    row.push(...orderCells(plan.orderHeadings.length, orders, session, answered));
    row.push(...keys.map((key) => attributeCell(session.attributes, key)));
    if (includesWithdrawn) row.push(session.withdrawnAt);
    if (includesTests) row.push(session.isTest);
    for (const { position, answer, normalized } of given) {
      putAnswer(row, slots[position]!, JSON.parse(answer));
      const column = slots[position]!.normalized;
      if (column !== undefined) row[SESSION_COLUMNS.length + column] = normalized;
    }
    return [row];
  });
}

/** HELD or TAKEN, by the rowids of the session and the quota. */
function placesOf(db: Reader, sessionIds: readonly number[], { quotas }: TablePlan): Map<string, string> {
  if (!quotas.length) return new Map();
  const places = listPlacesOf(db, sessionIds, Date.now());
  return new Map(places.map(({ session, quota, state }) => [`${session} ${quota}`, state]));
}

/** What a session has where its cells are codes, and the question was shown and not answered. */
export const SKIPPED = -99;

function putAnswer(
  row: Cell[],
  { type, column, options, writeIn, codes, marksSkipped, rows }: Slot,
  shown: unknown,
): void {
  const first = SESSION_COLUMNS.length;
  if (codes) {
    const [choice] = (shown ?? []) as InferOutput<typeof shownChoices>;
    if (!choice) row[first + column] = SKIPPED;
    else row[first + column] = choice.isWriteIn ? codes.size + 1 : codes.get(choice.text);
    if (choice?.isWriteIn && writeIn !== undefined) row[first + writeIn] = choice.text;
    return;
  }
  if (rows) {
    const inRows = typeOf({ _type: type }).rows!;
    for (const [id, slot] of rows) putAnswer(row, slot, shown === null ? null : inRows.shown(shown, id));
    return;
  }
  if (!options) {
    row[first + column] = shown === null && marksSkipped ? SKIPPED : answerCell(type, shown);
    return;
  }
  if (shown === null) {
    if (marksSkipped) for (const at of options.values()) row[first + at] = SKIPPED;
    return;
  }
  const cells = typeOf({ _type: type }).optionCells!;
  for (const at of options.values()) row[first + at] = cells.none;
  for (const [index, { text, isWriteIn }] of (shown as InferOutput<typeof shownChoices>).entries()) {
    const at = isWriteIn ? writeIn : options.get(text);
    if (at !== undefined) row[first + at] = isWriteIn ? text : cells.of(index);
  }
}
