// A store as a newer release would leave it.

import type { Writer } from "../../db/sqlite/connection.ts";

const NEWER = 999;

/** Migrates the store to a schema that this release does not know, nor can work with. @returns what takes that back */
export function makeTooNew(db: Writer): () => void {
  const oldest = db.value<number>("SELECT version FROM schema_oldest")!;
  const back = makeNewer(db);
  db.exec(`UPDATE schema_oldest SET version = ${NEWER}`);
  return () => {
    db.exec(`UPDATE schema_oldest SET version = ${oldest}`);
    back();
  };
}

/** Migrates the store to a schema that this release does not know, but can work with. @returns what takes that back */
export function makeNewer(db: Writer): () => void {
  const version = db.value<number>("PRAGMA user_version")!;
  db.exec(`PRAGMA user_version = ${NEWER}`);
  return () => db.exec(`PRAGMA user_version = ${version}`);
}
