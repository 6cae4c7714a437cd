// What plans of jobs have of a person who is erased.

import type { Writer } from "../../db/sqlite/connection.ts";
import { ERASED } from "./names.ts";
import type { Person } from "./person.ts";

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

/** Makes the temporary table `erased` anew, for the rows of one person: a file is searched for many people, one after the other. */
export function makeErased(file: Writer, columns: string): void {
  file.exec(`DROP TABLE IF EXISTS temp.erased; CREATE TEMP TABLE erased (${columns}) STRICT`);
}
