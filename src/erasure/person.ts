// A participant who is erased.

import type { Writer } from "../../db/sqlite/connection.ts";
import { ERASED } from "./names.ts";

/** What names a participant. */
export interface Person {
  uid: string;
  /** The one that the participant has, and former ones that nobody has now. */
  externalUids: string[];
  /** In the same way. */
  emails: string[];
  /** Public ids, also of assignments that were removed. */
  assignments: string[];
  /** Public ids and references; slugs: what links are made of. */
  sessions: string[];
  slugs: string[];
  /** The name, and former ones. */
  names: string[];
}

/** Removes what a job's result file has of a person. Call it inside a transaction. @returns whether there was anything */
export type Forget = (file: Writer, person: Person) => boolean;

/** Blanks the ids of rows in a job's plan that were once the person's: another participant may have had them. @returns how many there were */
export function blankUids(file: Writer, { externalUids }: Person): number {
  return file.run(
    "UPDATE plan SET external_uid = ? WHERE external_uid IN (SELECT value FROM json_each(?))",
    ERASED,
    JSON.stringify(externalUids),
  ).changes;
}

/** Removes a person's sessions from the plan of a job whose rows are sessions. The rows stay. @returns how many had one */
export function forgetSessions(file: Writer, { assignments, sessions }: Person): number {
  return file.run(
    `UPDATE plan SET session_id = NULL, session_uid = NULL, assignment_uid = NULL
     WHERE assignment_uid IN (SELECT value FROM json_each(?)) OR session_uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(assignments),
    JSON.stringify(sessions),
  ).changes;
}
