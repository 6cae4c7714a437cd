// The kinds of jobs: all of them, by hand. Each says how it runs, what undoes it, and what it forgets.

import type { EffectParts } from "../engine/ledger/effects.ts";
import type { UndoKind } from "../engine/run/undo.ts";
import { importJob } from "../imports/job.ts";
import { undoJob } from "../imports/undo/job.ts";
import { mailingJob } from "../mailings/job.ts";
import { publicationJob } from "../nouns/publications/job.ts";
import { deletionJob } from "../nouns/screeners/job.ts";
import { offerJob, offerUndoJob } from "../quota-jobs/offer-job.ts";
import { recountJob, recountUndoJob } from "../quota-jobs/recount-job.ts";
import { removalJob, removalUndoJob } from "../removal-jobs/job.ts";
import { reviewJob, reviewUndoJob } from "../review-jobs/job.ts";
import { sandboxResetJob } from "../sandbox/job.ts";
import { answersErasureJob, erasureJob } from "../screening/erasure-job.ts";
import { erasureOfManyJob } from "../screening/erasure-of-many.ts";
import { openingJob } from "../screening/open-all-job.ts";
import { testDeletionJob } from "../screening/test-deletion-job.ts";
import { moveJob, moveUndoJob } from "../session-moves/job.ts";

export const jobKinds = [
  importJob,
  undoJob,
  removalJob,
  removalUndoJob,
  publicationJob,
  openingJob,
  moveJob,
  moveUndoJob,
  recountJob,
  recountUndoJob,
  offerJob,
  offerUndoJob,
  reviewJob,
  reviewUndoJob,
  mailingJob,
  erasureJob,
  erasureOfManyJob,
  answersErasureJob,
  deletionJob,
  testDeletionJob,
  sandboxResetJob,
];

/** Those that undo others. */
const undoKinds = jobKinds.filter((kind): kind is UndoKind => "undoes" in kind);

/** Where jobs keep what they did, for their undo. */
export const effectParts: EffectParts = Object.assign({}, ...jobKinds.map(({ effect }) => effect));

/** The kind of job that undoes those of `kind`; undefined: they can't be undone. */
export function undoOf(kind: string): UndoKind | undefined {
  return undoKinds.find(({ undoes }) => undoes.includes(kind));
}

/** The kinds of jobs that remove the bodies of others. */
export const wiping = jobKinds.flatMap(({ kind, wipes }) => (wipes ? [kind] : []));

/** Whether jobs of a kind undo others. */
export function isUndo(kind: string): boolean {
  return undoKinds.some((undo) => undo.kind === kind);
}

/** What people call each kind. */
export const jobLabels: ReadonlyMap<string, string> = new Map(jobKinds.map(({ kind, label }) => [kind, label]));
