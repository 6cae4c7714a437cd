-- Jobs can end as a plan that somebody may apply, and show what they import, who asked for them and what they warn of.

CREATE TABLE job_next (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  workspace_id INTEGER NOT NULL REFERENCES workspace,
  kind TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'QUEUED'
    CHECK (status IN ('QUEUED', 'RUNNING', 'PLANNED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  payload TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_uid TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  idempotency_key TEXT,
  fingerprint TEXT,
  -- The process that runs it: the name of a lock file that it holds for as long as it lives.
  runner TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  available_at INTEGER NOT NULL DEFAULT 0,
  -- Set just before data may change; from then on the job can't be cancelled.
  apply_begun INTEGER NOT NULL DEFAULT 0,
  progress_phase TEXT,
  progress_done INTEGER,
  progress_total INTEGER,
  summary TEXT,
  problem TEXT,
  -- What the job answers: JSON, or (when it is long) the name of a file below results/, which also has its rows.
  result TEXT,
  result_file TEXT,
  -- The outcomes of its rows as a JSON array, when they are few.
  rows TEXT,
  -- Why nothing was applied, and until when it may be: JSON. Set while the status is PLANNED, and after.
  plan TEXT,
  -- The Idempotency-Key of the request that had the plan applied, and its fingerprint.
  apply_key TEXT,
  apply_fingerprint TEXT,
  -- A JSON array.
  warnings TEXT,
  -- What the job is about, known once its body is read.
  screener_uid TEXT,
  publication_uid TEXT,
  import_mode TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;

INSERT INTO job_next (id, uid, workspace_id, kind, status, payload, actor_type, actor_uid, actor_name, idempotency_key,
  fingerprint, runner, attempts, crashes, failures, available_at, apply_begun, progress_phase, progress_done,
  progress_total, summary, problem, result, result_file, created_at, started_at, finished_at)
SELECT id, uid, workspace_id, kind, status, payload, actor_type, actor_uid, actor_name, idempotency_key,
  fingerprint, runner, attempts, crashes, failures, available_at, apply_begun, progress_phase, progress_done,
  progress_total, summary, problem, result, result_file, created_at, started_at, finished_at
FROM job;

-- Ids of jobs that were removed must not come again.
DELETE FROM sqlite_sequence WHERE name = 'job_next';
INSERT INTO sqlite_sequence (name, seq) SELECT 'job_next', seq FROM sqlite_sequence WHERE name = 'job';

DROP TABLE job;
ALTER TABLE job_next RENAME TO job;

CREATE INDEX job_list ON job (workspace_id, status, kind);

CREATE INDEX job_open ON job (workspace_id, id) WHERE finished_at IS NULL;

CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;

CREATE UNIQUE INDEX job_idempotency ON job (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE UNIQUE INDEX job_apply_key ON job (workspace_id, apply_key) WHERE apply_key IS NOT NULL;

-- The plans that an import of the same screener ends.
CREATE INDEX job_planned ON job (workspace_id, screener_uid) WHERE status = 'PLANNED';

-- The limit for removals of imports that give none.
ALTER TABLE workspace ADD COLUMN max_removals TEXT;
