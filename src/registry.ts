// Everything that worker threads do: the kinds of jobs, and the side tasks.

import { encodeLogo } from "./appearance/logo.ts";
import { activateArrival, beginMove, forgetMove, prepareArrival, sweepMoves } from "./cells/arrivals.ts";
import { endMove } from "./cells/end-move.ts";
import { measureCell } from "./cells/measure.ts";
import { writeCodebook } from "./exports/codebook.ts";
import { planTable } from "./exports/plan.ts";
import { writeWorkbook } from "./exports/workbook.ts";
import { checkpointWorkspace, migrateWorkspace, moveEvents, recoverStore, tidyStores } from "./jobs/housekeeping.ts";
import { readLongPage } from "./jobs/long-read.ts";
import { checkNextStore } from "./jobs/store-checks.ts";
import { exportParticipant } from "./participants/export.ts";
import { erasureJob } from "./participants/job.ts";
import { applyRetention } from "./participants/retention.ts";
import { measureResults } from "./results/measure.ts";
import { prepareDraft } from "./screener-content/prepare.ts";
import { importJob } from "./screener-participants/job.ts";
import { undoJob } from "./screener-participants/undo/job.ts";
import { publicationJob } from "./screener-publications/job.ts";
import { explainLong } from "./screener-sessions/explain.ts";
import { openingJob } from "./screener-sessions/job.ts";
import { deletionJob } from "./screeners/job.ts";
import { measureInstallation } from "./system/installation.ts";

export const jobKinds = [importJob, undoJob, publicationJob, openingJob, erasureJob, deletionJob];

/** The kinds of jobs that remove the bodies of others. */
export const wiping = jobKinds.flatMap(({ kind, wipes }) => (wipes ? [kind] : []));

export const sideTasks = [
  prepareDraft,
  encodeLogo,
  exportParticipant,
  explainLong,
  measureResults,
  planTable,
  writeCodebook,
  writeWorkbook,
  measureInstallation,
  applyRetention,
  readLongPage,
  checkpointWorkspace,
  migrateWorkspace,
  recoverStore,
  tidyStores,
  moveEvents,
  checkNextStore,
  beginMove,
  forgetMove,
  sweepMoves,
  prepareArrival,
  activateArrival,
  endMove,
  measureCell,
];
