// The floors' store: opened as openWriter does it, but without anything around better-sqlite3.

import Database from "better-sqlite3";

export function openBare(path: string): Database.Database {
  const db = new Database(path, { fileMustExist: true });
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("trusted_schema = OFF");
  db.pragma("mmap_size = 0");
  db.pragma("journal_size_limit = 16777216");
  return db;
}
