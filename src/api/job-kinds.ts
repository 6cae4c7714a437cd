// The kinds of jobs: all of them, by hand.

import { importJob } from "../imports/job.ts";
import { undoJob } from "../imports/undo/job.ts";
import { publicationJob } from "../nouns/publications/job.ts";
import { deletionJob } from "../nouns/screeners/job.ts";
import { erasureJob } from "../screening/erasure-job.ts";
import { openingJob } from "../screening/open-all-job.ts";
import { testDeletionJob } from "../screening/test-deletion-job.ts";

export const jobKinds = [importJob, undoJob, publicationJob, openingJob, erasureJob, deletionJob, testDeletionJob];

/** The kinds of jobs that remove the bodies of others. */
export const wiping = jobKinds.flatMap(({ kind, wipes }) => (wipes ? [kind] : []));

/** What people call each kind. */
export const jobLabels: ReadonlyMap<string, string> = new Map(jobKinds.map(({ kind, label }) => [kind, label]));
