-- What each import did, so that it can be undone. And the rows and the warnings of a job's outcome.

-- With rowids: in a table without, each look-up reads the whole results of the jobs that it passes.
CREATE TABLE outcome (
  job_uid TEXT NOT NULL UNIQUE,
  summary TEXT,
  result TEXT,
  result_file TEXT,
  rows TEXT,
  warnings TEXT,
  problem TEXT,
  decided_at INTEGER NOT NULL
) STRICT;
INSERT INTO outcome (job_uid, summary, result, result_file, problem, decided_at)
SELECT job_uid, summary, result, result_file, problem, decided_at FROM job_outcome;
DROP TABLE job_outcome;
ALTER TABLE outcome RENAME TO job_outcome;
CREATE INDEX job_outcome_decided ON job_outcome (decided_at);

-- What one import or one undo did.
CREATE TABLE effect (
  id INTEGER PRIMARY KEY,
  job_uid TEXT NOT NULL UNIQUE,
  screener_id INTEGER NOT NULL REFERENCES screener,
  -- The `updated_at` of the participants that it changed. No two effects have the same.
  stamp TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  -- The participants that an import created: rowids after the first number, up to the second.
  participants_after INTEGER NOT NULL,
  participants_to INTEGER NOT NULL,
  -- The job that undid it.
  undone_by TEXT
) STRICT;

CREATE INDEX effect_screener ON effect (screener_id);

CREATE INDEX effect_decided ON effect (decided_at);

-- An import may change a million rows: what it keeps of them has neither a foreign key nor a check, which cost much.
CREATE TABLE effect_participant (
  effect_id INTEGER NOT NULL,
  participant_id INTEGER NOT NULL,
  -- ADDED, CHANGED, REMOVED
  kind TEXT NOT NULL,
  -- The former values: of a changed one those that changed, of a removed one all. By column.
  json TEXT,
  -- Who had changed it before.
  updated_by INTEGER,
  PRIMARY KEY (effect_id, participant_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_assignment (
  effect_id INTEGER NOT NULL,
  assignment_id INTEGER NOT NULL,
  -- ADDED, REMOVED
  kind TEXT NOT NULL,
  uid TEXT NOT NULL,
  participant_id INTEGER NOT NULL,
  -- Rowids come again when the last rows are removed.
  participant_uid TEXT NOT NULL,
  status TEXT NOT NULL,
  session_id INTEGER,
  PRIMARY KEY (effect_id, assignment_id)
) STRICT, WITHOUT ROWID;

-- The sessions that were archived with their assignments.
CREATE TABLE effect_session (
  effect_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;
