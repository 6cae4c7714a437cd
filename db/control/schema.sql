-- Generated from the migrations by `npm run schema`.

CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uid TEXT NOT NULL,
  checked_at INTEGER NOT NULL
, is_overwritten INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
, max_removals TEXT, suspended_at INTEGER, answers_months INTEGER, unassigned_days INTEGER, is_overwritten INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  workspace_id INTEGER NOT NULL REFERENCES workspace,
  api_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  last_used_at INTEGER
, scopes TEXT) STRICT;

CREATE INDEX api_key_workspace ON api_key (workspace_id);

CREATE TABLE api_key_secret (
  id INTEGER PRIMARY KEY,
  api_key_id INTEGER NOT NULL REFERENCES api_key,
  secret_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;

CREATE INDEX api_key_secret_key ON api_key_secret (api_key_id);

CREATE TABLE workspace_user (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  workspace_id INTEGER NOT NULL REFERENCES workspace,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
, disabled_at INTEGER) STRICT;

CREATE INDEX workspace_user_workspace ON workspace_user (workspace_id);

CREATE TABLE access_token (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  workspace_user_id INTEGER NOT NULL REFERENCES workspace_user,
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
, scopes TEXT) STRICT;

CREATE INDEX access_token_user ON access_token (workspace_user_id);

CREATE TABLE "job" (
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
, result_bytes INTEGER, spooled_bytes INTEGER, note TEXT, cause TEXT) STRICT;

CREATE INDEX job_open ON job (workspace_id, id) WHERE finished_at IS NULL;

CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;

CREATE UNIQUE INDEX job_idempotency ON job (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE UNIQUE INDEX job_apply_key ON job (workspace_id, apply_key) WHERE apply_key IS NOT NULL;

CREATE INDEX job_planned ON job (workspace_id, screener_uid) WHERE status = 'PLANNED';

CREATE INDEX job_results ON job (finished_at) WHERE result_bytes IS NOT NULL;

CREATE TABLE result_total (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER job_result_changed AFTER UPDATE OF result_bytes ON job WHEN new.result_bytes IS NOT old.result_bytes
BEGIN
  UPDATE result_total SET bytes = bytes + coalesce(new.result_bytes, 0) - coalesce(old.result_bytes, 0);
END;

CREATE TRIGGER job_result_deleted AFTER DELETE ON job WHEN old.result_bytes IS NOT NULL
BEGIN
  UPDATE result_total SET bytes = bytes - old.result_bytes;
END;

CREATE INDEX job_list ON job (workspace_id, created_at, status, kind, screener_uid);

CREATE TABLE store_finding (
  workspace_uid TEXT NOT NULL,
  -- OPENING: found when it was opened or read. CHECK: found by the check of all its pages.
  source TEXT NOT NULL,
  message TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_uid, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE store_check (
  workspace_uid TEXT PRIMARY KEY,
  checked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX job_spooled ON job (workspace_id, spooled_bytes)
  WHERE spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED');

CREATE TABLE workspace_results (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace,
  bytes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER workspace_result_changed AFTER UPDATE OF result_bytes ON job WHEN new.result_bytes IS NOT old.result_bytes
BEGIN
  INSERT INTO workspace_results (workspace_id, bytes)
  VALUES (new.workspace_id, coalesce(new.result_bytes, 0) - coalesce(old.result_bytes, 0))
  ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER workspace_result_deleted AFTER DELETE ON job WHEN old.result_bytes IS NOT NULL
BEGIN
  UPDATE workspace_results SET bytes = bytes - old.result_bytes WHERE workspace_id = old.workspace_id;
END;

CREATE TABLE pending_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_uid TEXT NOT NULL,
  -- A whole event, as JSON.
  json TEXT NOT NULL
) STRICT;

CREATE TABLE job_body (
  job_uid TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_body_ended AFTER UPDATE OF status ON job
WHEN new.finished_at IS NOT NULL AND new.status <> 'PLANNED'
BEGIN
  DELETE FROM job_body WHERE job_uid = new.uid;
END;

CREATE TRIGGER job_body_deleted AFTER DELETE ON job
BEGIN
  DELETE FROM job_body WHERE job_uid = old.uid;
END;

CREATE TABLE webhook_workspace (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
  -- When an endpoint was last made or enabled.
  noted_at INTEGER NOT NULL
) STRICT;
