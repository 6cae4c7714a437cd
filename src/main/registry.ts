// What worker threads do besides jobs (src/api/job-kinds.ts), and what expires.

import { listColumns } from "../answers/catalogue.ts";
import { findAllAnswers, indexAnswers, readAnswers } from "../answers/read.ts";
import { writeAnswersWorkbook } from "../answers/workbook.ts";
import { effectParts } from "../api/job-kinds.ts";
import { measureInstallation } from "../api/system/installation.ts";
import { givenUpArms } from "../arms/queries.ts";
import { activateArrival, beginMove, forgetMove, prepareArrival } from "../cells/arrivals.ts";
import { endMove } from "../cells/end-move.ts";
import { measureCell } from "../cells/measure.ts";
import { sweepMoves } from "../cells/sweep.ts";
import { oldEffects } from "../engine/ledger/effects.ts";
import { oldOutcomes } from "../engine/ledger/outcome.ts";
import { readLongPage } from "../engine/threads/long-read.ts";
import { oldEvents } from "../events/queries.ts";
import { writeCodebook } from "../exports/codebook.ts";
import { planTable } from "../exports/plan.ts";
import { writeSpss } from "../exports/spss.ts";
import { writeWorkbook } from "../exports/workbook.ts";
import { lookWhoFits } from "../feasibility/feasibility.ts";
import { forecastQuotas } from "../forecast/forecast.ts";
import { encodeImage } from "../images/encode.ts";
import { unusedImages } from "../images/expiry.ts";
import { startSheet, writeSheet } from "../imports/workbook-task.ts";
import { oldMessages } from "../mail/later.ts";
import { oldUnconfirmed } from "../mail/unconfirmed.ts";
import { prepareDraft } from "../nouns/content/prepare.ts";
import { changedLanguages, readDraftWording } from "../nouns/publications/draft-wording.ts";
import { lapsedPlaces } from "../nouns/quotas/place-queries.ts";
import { pageOfTranslation } from "../nouns/translations/page.ts";
import { checkTranslation, listProgress, prepareTranslation, readTranslation } from "../nouns/translations/tasks.ts";
import { lapsedOffers } from "../quota-jobs/end-offers.ts";
import { lookWhoWaits } from "../quota-jobs/waiting.ts";
import { measureResults } from "../results/measure.ts";
import { lookWhoIsReviewed } from "../reviews/oldest.ts";
import { explainLong } from "../screening/explain.ts";
import { exportParticipant } from "../screening/person-export.ts";
import { applyRetention } from "../screening/retention.ts";
import { countMoves } from "../session-moves/count.ts";
import { oldSignals } from "../signals/expiry.ts";
import { checkpointWorkspace, migrateWorkspace, moveEvents, recoverStore, tidyStores } from "../upkeep/housekeeping.ts";
import { checkBadFiles, checkNextStore, openRefusedStores } from "../upkeep/store-checks.ts";
import { takeBackInterrupted } from "../upkeep/take-back.ts";
import { deleteDeliveriesUntil } from "../webhooks/delivery-queries.ts";

/** What workspaces' stores keep for a time. The retention, which each workspace chooses, is a side task. */
export const expiring = [
  oldOutcomes,
  oldEffects(effectParts),
  oldEvents(deleteDeliveriesUntil),
  lapsedOffers,
  lapsedPlaces,
  givenUpArms,
  unusedImages,
  oldMessages,
  oldUnconfirmed,
  oldSignals,
];

export const sideTasks = [
  prepareDraft,
  listProgress,
  readTranslation,
  prepareTranslation,
  checkTranslation,
  pageOfTranslation,
  readDraftWording,
  changedLanguages,
  encodeImage,
  exportParticipant,
  explainLong,
  countMoves,
  lookWhoWaits,
  lookWhoIsReviewed,
  measureResults,
  forecastQuotas,
  lookWhoFits,
  planTable,
  writeCodebook,
  writeWorkbook,
  writeSheet,
  startSheet,
  writeSpss,
  readAnswers,
  findAllAnswers,
  listColumns,
  indexAnswers,
  writeAnswersWorkbook,
  measureInstallation,
  applyRetention,
  readLongPage,
  checkpointWorkspace,
  migrateWorkspace,
  recoverStore,
  tidyStores,
  moveEvents,
  checkNextStore,
  checkBadFiles,
  openRefusedStores,
  takeBackInterrupted,
  beginMove,
  forgetMove,
  sweepMoves,
  prepareArrival,
  activateArrival,
  endMove,
  measureCell,
];
