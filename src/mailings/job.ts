// The job that plans a mailing. Applied, it writes the messages to the outbox, and ends: sending them takes no turn in the queue.

import * as v from "valibot";
import { Problem } from "../base/problems.ts";
import { PLAN_MS } from "../engine/ledger/plans.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { JobScratch } from "../engine/run/scratch.ts";
import { MAIL_NOTES } from "../mail/notes.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import { dropChanged, lastChange, PLAN_SUMMARY, planRecipients, takeApproved, writeMailing } from "./plan.ts";
import { chosenBy } from "./recipients.ts";
import { MailingPlan } from "./resource.ts";
import { createRows, forgetInMailings } from "./rows.ts";

export const mailingJob = defineJob({
  kind: "MAILING_PLANNING",
  label: "Mailing",
  summary: PLAN_SUMMARY,
  events: { succeeded: "mailing.created", failed: "job.failed", planned: "job.planned" },
  planOf: "MAILINGS",
  endsPlansOf: [],
  scope: "author",
  forget: forgetInMailings,
  payload: v.object({ screenerId: v.string(), mailing: MailingPlan, dryRun: v.boolean() }),
  run(job, { mailing, dryRun }) {
    using scratch = JobScratch.inFile(job);
    const { db } = scratch;
    createRows(db);
    if (job.approved) scratch.attachApproved(job.approved);
    job.progress("COMPARING", 0, null);
    const chosen = job.approved
      ? undefined
      : job.workspaces.read(job.workspaceUid, (store) =>
          store.snapshot(() => chosenBy(store, mailing.screenerId, mailing.to)),
        );
    const endsAsPlan = dryRun && !job.approved;
    const { planned, seen } = scratch.withSnapshot(() => {
      const planned = job.approved ? takeApproved(db) : planRecipients(db, mailing, chosen);
      return { planned, seen: lastChange(db) };
    });
    if (endsAsPlan) {
      const expiresAt = new Date(Date.now() + PLAN_MS).toISOString();
      return scratch.conclude({ summary: planned!, plan: { reason: "DRY_RUN", expiresAt } });
    }
    // Before there is something to send.
    noteWorkspace(job.control.writer, MAIL_NOTES, job.workspaceUid);
    return scratch.applyOnce(() => {
      const summary = planned && lastChange(db) === seen ? planned : dropChanged(db, mailing);
      const { maxRecipients } = mailing;
      if (!job.approved && maxRecipients !== null && summary.send > maxRecipients)
        return {
          summary,
          problem: new Problem("recipient_limit_exceeded", {
            detail: `The mailing would go to ${summary.send} people, and at most ${maxRecipients} are allowed. Nothing was sent.`,
          }),
        };
      const at = writeMailing(db, mailing, {
        ...{ uid: job.uid, actor: job.actor },
        onProgress: (done, total) => job.progress("APPLYING", done, total),
      });
      return { summary, event: { at, summary: { mailingId: job.uid } } };
    }, false);
  },
});
