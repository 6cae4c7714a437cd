// The codebook of an export: what each column of a question means.

import { csvHead, csvLines } from "../base/csv.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import type { OrderColumn } from "./orders.ts";
import { type FullPlan, type NoPlan, tablePlan, type WantedTable } from "./plan.ts";
import type { TableQuestion } from "./questions.ts";
import { SESSION_COLUMNS } from "./table.ts";

export const CODEBOOK_HEADINGS = ["column", "question", "type", "option", "page", "versions", "key", "questionId"];

/** What the columns before those of questions mean. */
export const OF_SESSIONS: Record<string, string> = {
  "session.id": "The session",
  "participant.externalUid": "The participant's id in the system of record",
  "participant.id": "The participant",
  "publication.version": "The version that was answered",
  "publication.id": "The publication that was answered",
  "session.status": "ACTIVE, ARCHIVED or REMOVED",
  "session.state": "IN_PROGRESS or COMPLETED",
  "session.outcome": "QUALIFIED, DISQUALIFIED or UNKNOWN; empty until it is completed",
  "session.outcomeReason": "Why it is DISQUALIFIED: SCREENED_OUT, OVER_QUOTA or NO_CONSENT",
  "session.startedAt": "The time of the first answer, in UTC",
  "session.lastActiveAt": "The time of the last answer, in UTC",
  "session.completedAt": "The time of completion, in UTC",
  "session.judgedOutcome": "What the rules had come to, where somebody has set the outcome",
  "session.overriddenBy": "Who has set the outcome",
  "session.overrideReason": "Why",
  "session.overriddenAt": "When, in UTC",
  "session.language": "The language of the pages, as a tag",
  "session.link": "The name of the open link by which the participant has joined",
  "session.review": "PENDING, ACCEPTED or REJECTED, where it is reviewed",
  "session.reviewedBy": "Who has accepted or rejected it",
  "session.reviewReason": "Why",
  "session.reviewedAt": "When, in UTC",
  "session.signals": "Reasons to doubt the answers, for those who review them: kinds of signals. They decide nothing",
};

const WRITE_IN = "(write-in)";

const NORMALIZED = "the same in the form that programs can compare";

/** In characters. The prompt is in the row of each option. */
export const MAX_CODEBOOK_LENGTH = 32 * 1024 * 1024;

/** A codebook as CSV, or why there is none. A thread makes it: a million options take seconds. */
export const writeCodebook: SideTask<
  WantedTable,
  { title: string | null; csv: string; rows: number } | NoPlan | "tooLong"
> = {
  name: "write-codebook",
  perform({ workspaces }, { workspaceUid, screenerUid, layout }) {
    const plan = workspaces.read(workspaceUid, (db) => db.snapshot(() => tablePlan(db, screenerUid, layout)));
    if (typeof plan === "string") return plan;
    let csv = csvHead(CODEBOOK_HEADINGS);
    let rows = 0;
    for (const row of codebookRows(plan)) {
      csv += csvLines([row]);
      rows++;
      if (csv.length > MAX_CODEBOOK_LENGTH) return "tooLong";
    }
    return { title: plan.title, csv, rows };
  },
};

/** A row for each column, and for each option of a question. */
export function* codebookRows(plan: FullPlan): Generator<string[]> {
  yield* sessionRows();
  for (const question of plan.questions) yield* rowsOf(question);
  yield* quotaRows(plan);
  yield* armRows(plan);
  for (const column of plan.orderColumns) yield* orderRows(column);
}

/** A row for each arm of an assignment. */
function armRows({ arms }: FullPlan): string[][] {
  return arms.flatMap(({ heading, name, arms: ofIt }) =>
    [...ofIt.values()].map((arm) => [...[heading, `The session's arm of “${name}”`, "one arm", arm, "", "", "", ""]]),
  );
}

/** A row for each item of a list that is shuffled, with the position that cells have for it. */
function orderRows({ heading, about, items, page, versions, key, questionId }: OrderColumn): string[][] {
  return items.map((item, index) => [
    ...[heading, about, "positions in the content of the session’s version, from 1 on, in the order shown"],
    ...[`${index + 1}: ${item}`, page ?? "", versionsText(versions), key ?? "", questionId ?? ""],
  ]);
}

function versionsText([first, last]: readonly [first: number, last: number]): string {
  return first === last ? String(first) : `${first} to ${last}`;
}

function quotaRows({ quotas }: FullPlan): string[][] {
  return quotas.map(({ heading, name }) => [
    ...[heading, `The session's place in the quota “${name}”`, "TAKEN, HELD or empty", "", "", "", "", ""],
  ]);
}

function sessionRows(): string[][] {
  return SESSION_COLUMNS.map(([heading]) => [heading, OF_SESSIONS[heading]!, "", "", "", "", "", ""]);
}

function rowsOf({ columns, options, hasWriteIn, values, optionValues, ...question }: TableQuestion): string[][] {
  const versions = versionsText(question.versions);
  const rowOf = (prompt: string) => (heading: string, kind: string, option: string) => [
    ...[heading, prompt, kind, option, question.page ?? "", versions, question.key ?? "", question.id],
  ];
  return columns.flatMap(({ heading, has, option = WRITE_IN, row: inRow }) => {
    const row = rowOf(inRow === undefined ? question.prompt : `${question.prompt} – ${inRow}`);
    if (has === "normalized") return [row(heading, NORMALIZED, "")];
    if (has === "choice") return [row(heading, optionValues, option)];
    if (has === "writeIn") return [row(heading, "text", option)];
    const all = hasWriteIn ? [...options, WRITE_IN] : options;
    return all.length ? all.map((text) => row(heading, values, text)) : [row(heading, values, "")];
  });
}
