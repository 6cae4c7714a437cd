// Every text column of the result files of jobs: see columns.ts. test/api/participant-erasure.test.ts compares them with real files.

import { ADDRESS, each, ID, STAFF, WORD } from "./column-kinds.ts";
import type { Column, Columns } from "./search.ts";

const IN_FILE: Column = { by: "the kind's `forget`" };

const moveColumns: Columns = {
  ...each("plan", ["session_uid", "assignment_uid"], IN_FILE),
  ...each("plan", ["outcome", "reason"], WORD),
  "plan_block.outcome": WORD,
  "named_publication.uid": ID,
  "named_tags.json": IN_FILE,
};

const placeColumns: Columns = {
  ...each("plan", ["session_uid", "assignment_uid", "participant_uid"], IN_FILE),
  ...each("plan", ["outcome", "reason"], WORD),
  "plan_block.outcome": WORD,
  "place.uid": ID,
  ...each("copy", ["uid", "slug"], IN_FILE),
};

const reviewColumns: Columns = {
  ...each("plan", ["session_uid", "assignment_uid"], IN_FILE),
  ...each("plan", ["outcome", "reason", "from_state", "to_state", "quotas"], WORD),
  "plan_block.outcome": WORD,
  "named_quota.name": IN_FILE,
};

const undoColumns: Columns = {
  ...each("plan", ["participant_uid", "external_uid", "json", "now", "status", "session_uid"], IN_FILE),
  ...each("plan", ["outcome", "reason", "participant_kind", "assignment_kind"], WORD),
  "plan.assignment_uid": IN_FILE,
  "plan_block.outcome": WORD,
  ...each("touched_participant", ["kind", "json"], IN_FILE),
  ...each("touched_assignment", ["participant_uid", "kind", "uid", "status"], IN_FILE),
  "known_actor.json": STAFF,
  "wanted.email": IN_FILE,
};

/** The columns of result files, by kind of job. */
export const resultColumns: Readonly<Record<string, Columns>> = {
  SCREENER_PARTICIPANTS_IMPORT: {
    ...each("stage", ["external_uid", "email", "name", "attributes", "removed_attributes"], IN_FILE),
    ...each("plan", ["participant_uid", "assignment_uid", "session_uid", "status", "removed_external_uid"], IN_FILE),
    ...each("plan", ["kept_email", "kept_name", "kept_attributes"], IN_FILE),
    "plan.outcome": WORD,
    "plan_block.outcome": WORD,
    "row_error.json": IN_FILE,
    "wrong_attributes.message": IN_FILE,
    "target.screener_uid": ID,
    "target.matched_by": WORD,
  },
  SCREENER_PARTICIPANTS_IMPORT_UNDO: undoColumns,
  SCREENER_PARTICIPANTS_REMOVAL: {
    ...each("plan", ["participant_uid", "external_uid", "assignment_uid", "status", "session_uid"], IN_FILE),
    ...each("plan", ["outcome", "reason"], WORD),
    "plan_block.outcome": WORD,
  },
  SCREENER_PARTICIPANTS_REMOVAL_UNDO: undoColumns,
  SCREENER_SESSIONS_OPENING: {
    ...each("key", ["uid", "slug", "reference"], IN_FILE),
    "opened.assignment_uid": IN_FILE,
    "shared.tags": IN_FILE,
    "shared.app_url": ADDRESS,
    "shared.created_at": WORD,
    ...each("shared", ["mark", "screener_uid", "publication_uid"], ID),
    "plan_block.outcome": WORD,
  },
  SCREENER_SESSIONS_MOVE: moveColumns,
  SCREENER_SESSIONS_MOVE_UNDO: moveColumns,
  SCREENER_QUOTA_RECOUNT: placeColumns,
  SCREENER_QUOTA_RECOUNT_UNDO: placeColumns,
  SCREENER_QUOTA_OFFER: placeColumns,
  SCREENER_QUOTA_OFFER_UNDO: placeColumns,
  SCREENER_SESSIONS_REVIEW: reviewColumns,
  SCREENER_SESSIONS_REVIEW_UNDO: reviewColumns,
  PARTICIPANTS_ERASURE: {
    "plan.external_uid": IN_FILE,
    "plan.participant_uid": ID,
    ...each("plan", ["outcome", "reason"], WORD),
    "plan_block.outcome": WORD,
  },
  MAILING_PLANNING: {
    ...each("plan", ["assignment_uid", "participant_uid", "external_uid"], IN_FILE),
    ...each("plan", ["outcome", "reason"], WORD),
    "plan_block.outcome": WORD,
    "key.uid": ID,
  },
};
