// A participant who is erased.

import type { Writer } from "../../db/sqlite/connection.ts";

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
