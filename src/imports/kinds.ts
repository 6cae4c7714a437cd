// The kinds of jobs that change who is in a screener.

export const IMPORT = "SCREENER_PARTICIPANTS_IMPORT";
export const IMPORT_UNDO = "SCREENER_PARTICIPANTS_IMPORT_UNDO";
export const IMPORTING: readonly string[] = [IMPORT, IMPORT_UNDO];
