// The job that erases many participants: each is erased as a whole, as by itself, in a transaction of its own. What jobs have kept is
// searched for some of them at once. A run that was interrupted goes on.

import * as v from "valibot";
import { countRows } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { findMoved } from "../engine/ledger/compare.ts";
import { PLAN_MS } from "../engine/ledger/plans.ts";
import { countedPlan, jobRow, selectRows } from "../engine/ledger/rows.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import type { ApprovedPlan, JobRun } from "../engine/run/job-run.ts";
import { JobScratch } from "../engine/run/scratch.ts";
import { addErased, erasedAt, readList } from "../erasure/list.ts";
import type { Forget } from "../erasure/person.ts";
import { erase, findPerson, searchFor } from "./erase.ts";

/** The jobs behind it wait. */
export const MAX_ERASED = 1000;

/** So many are searched for at once in what jobs have kept: each result is opened, and what is left in its pages overwritten, once for all. */
const SLICE = 50;

/** A plan says whom it names. What is kept afterwards has ids alone, as the job of one erasure has. */
const forgetInErasure: Forget = (file, { uid, externalUids }) =>
  file.run(
    `UPDATE plan SET external_uid = NULL
     WHERE external_uid IS NOT NULL AND (participant_uid = ? OR external_uid IN (SELECT value FROM json_each(?)))`,
    uid,
    JSON.stringify(externalUids),
  ).changes > 0;

export const erasureOfManyJob = defineJob({
  kind: "PARTICIPANTS_ERASURE",
  label: "Erasure of people",
  scope: "admin",
  summary: counted("rows", "erased", "skipped"),
  events: { succeeded: "participants.erased", failed: "job.failed", planned: "job.planned" },
  // Its plans name people of no screener: other jobs do not end them, but an erasure does.
  planOf: "PEOPLE",
  endsPlansOf: [],
  overtakes: "WORKSPACE",
  wipes: true,
  forget: forgetInErasure,
  payload: v.object({ participantIds: v.array(v.string()), dryRun: v.boolean() }),
  run(job, { participantIds, dryRun }) {
    using scratch = JobScratch.inFile(job);
    const { db } = scratch;
    createErasure(db);
    const { approved } = job;
    const isPlan = dryRun && !approved;
    if (approved) attachNameless(scratch, approved);
    const { moved, summary } = scratch.withSnapshot(() => {
      const planned = planErasure(db, job, participantIds, isPlan);
      return { moved: approved && findMoved(db), summary: planned };
    });
    if (moved) {
      for (const table of ["plan", "plan_block"]) db.run(`DELETE FROM ${table}`);
      return scratch.conclude({ problem: moved });
    }
    if (isPlan) {
      const expiresAt = new Date(Date.now() + PLAN_MS).toISOString();
      return scratch.conclude({ summary, plan: { reason: "DRY_RUN", expiresAt } });
    }
    const damaged = eraseAll(db, job);
    return scratch.applyOnce(() => ({
      summary,
      warnings: [...damaged].map((uid) => ({
        code: "result_damaged",
        message: `The result of the job ${uid} was damaged, so that nobody can tell whom it named. It was removed.`,
      })),
    }));
  },
});

/** Makes the tables of the scratch store. */
function createErasure(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      reason TEXT,
      participant_uid TEXT NOT NULL,
      -- Of a plan alone.
      external_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, q.external_uid, 'false' AS assigned,
        q.participant_uid, NULL AS assignment_uid, NULL AS status, NULL AS session_uid, '[]' AS changes, '[]' AS errors, q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT id, external_uid FROM plan;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}

/** What was approved, without what only the plan shows: what this run writes to its file must have no names. */
function attachNameless(scratch: JobScratch, approved: ApprovedPlan): void {
  scratch.attachApproved(approved);
  scratch.db.exec(`
    DROP VIEW temp.approved_row;
    CREATE TEMP VIEW approved_row AS SELECT id, json_set(json, '$.externalUid', NULL) AS json FROM (${selectRows("approved")});
  `);
}

/** Plans to erase those who are there. Whom a run before has erased counts as erased. @param hasNames whether its rows say who they are */
function planErasure(db: Writer, job: JobRun, uids: readonly string[], hasNames: boolean) {
  const list = readList(job.erasedDir, job.workspaceUid);
  const isDone = (uid: string) => (erasedAt(list, job.workspaceUid, uid) ?? 0) >= job.acceptedAt;
  db.run(
    `INSERT INTO plan (id, outcome, reason, participant_uid, external_uid)
     SELECT id, iif(is_there, 'ERASED', 'SKIPPED'), iif(is_there, NULL, 'GONE'), uid, external_uid
     FROM (SELECT j.key + 1 AS id, j.value AS uid, iif(?, p.external_uid, NULL) AS external_uid, p.id IS NOT NULL OR d.value IS NOT NULL AS is_there
       FROM json_each(?) AS j LEFT JOIN w.participant AS p ON p.uid = j.value
         LEFT JOIN json_each(?) AS d ON d.value = j.value) ORDER BY id`,
    hasNames ? 1 : 0,
    JSON.stringify(uids),
    JSON.stringify(uids.filter(isDone)),
  );
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  const erased = db.value<number>("SELECT count(*) FROM plan WHERE outcome = 'ERASED'")!;
  return { rows: uids.length, erased, skipped: uids.length - erased };
}

/** Erases all whom the plan names and who are there. @returns the jobs whose results were damaged */
function eraseAll(db: Writer, job: JobRun): Set<string> {
  const { workspaces, workspaceUid, erasedDir } = job;
  const planned = db.values<string>("SELECT participant_uid FROM plan WHERE outcome = 'ERASED' ORDER BY id");
  const uids = workspaces.read(workspaceUid, (store) => findThere(store, planned));
  const damaged = new Set<string>();
  if (uids.length) job.begin();
  for (let from = 0; from < uids.length; from += SLICE) {
    // The order is that of one erasure: erasure-job.ts.
    const slice = uids.slice(from, from + SLICE);
    const people = workspaces.read(workspaceUid, (store) =>
      findThere(store, slice).map((uid) => findPerson(store, uid)),
    );
    for (const one of job.forget(people).damaged) damaged.add(one);
    for (const [index, person] of people.entries()) {
      const { uid } = person;
      job.progress("APPLYING", from + index, uids.length);
      const searched = workspaces.read(workspaceUid, (store) => searchFor(store, person));
      workspaces.write(workspaceUid, (store) => {
        // Retention may have erased the person since.
        if (!findThere(store, [uid]).length) return;
        addErased(erasedDir, workspaceUid, [{ uid, at: Date.now() }]);
        const summary = { ...erase(store, uid, searched) };
        job.record(store, { type: "participant.erased", resource: { type: "Participant", uid }, summary });
      });
      if (from + index === 0) job.partDone();
    }
  }
  return damaged;
}

/** Those of the participants who are there. */
function findThere(store: Reader, uids: readonly string[]): string[] {
  return store.values(
    "SELECT j.value FROM json_each(?) AS j WHERE EXISTS (SELECT 1 FROM participant AS p WHERE p.uid = j.value) ORDER BY j.key",
    JSON.stringify(uids),
  );
}
