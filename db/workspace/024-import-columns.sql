-- The columns of the last CSV that each source imported into a screener: so one that lacks a column, or has a new one, is noticed.
-- Expands.

CREATE TABLE import_columns (
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  actor_uid TEXT NOT NULL,
  import_mode TEXT NOT NULL,
  -- A JSON array of what they are: members of a participant, and attributes.
  columns TEXT NOT NULL,
  -- The import that had them. And those of the one before, for when it is undone.
  job_uid TEXT NOT NULL,
  former TEXT,
  PRIMARY KEY (screener_id, actor_uid, import_mode)
) STRICT, WITHOUT ROWID;

-- An undo looks for the import.
CREATE INDEX import_columns_job ON import_columns (job_uid);
