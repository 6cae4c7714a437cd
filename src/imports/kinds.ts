// The kinds of jobs that change who is in a screener, and where they keep what they did.

export const IMPORT = "SCREENER_PARTICIPANTS_IMPORT";
export const IMPORT_UNDO = "SCREENER_PARTICIPANTS_IMPORT_UNDO";
export const REMOVAL = "SCREENER_PARTICIPANTS_REMOVAL";
export const REMOVAL_UNDO = "SCREENER_PARTICIPANTS_REMOVAL_UNDO";
export const IMPORTING: readonly string[] = [IMPORT, IMPORT_UNDO, REMOVAL, REMOVAL_UNDO];

export const IMPORT_EFFECT = {
  effect_session: "session_id",
  effect_assignment: "assignment_id",
  effect_participant: "participant_id",
};
