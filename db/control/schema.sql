-- Generated from the migrations by `npm run schema`.

CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uid TEXT NOT NULL,
  checked_at INTEGER NOT NULL
, is_overwritten INTEGER NOT NULL DEFAULT 0, cell TEXT, backup_at INTEGER, backup_failed INTEGER, former_cells TEXT, clock_before INTEGER, clock_ahead_at INTEGER, backup_for INTEGER, backup_runner TEXT, backup_begun_at INTEGER, backup_dir TEXT) STRICT;

CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
, max_removals TEXT, suspended_at INTEGER, answers_months INTEGER, unassigned_days INTEGER, is_overwritten INTEGER NOT NULL DEFAULT 0, moving TEXT CHECK (moving IN ('PAUSED', 'STOPPED', 'MOVED')), former_cells TEXT, requires_two_factor INTEGER NOT NULL DEFAULT 0, is_sandbox INTEGER NOT NULL DEFAULT 0) STRICT;

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
, disabled_at INTEGER, email TEXT, role TEXT CHECK (role IN ('viewer', 'researcher', 'admin')), password TEXT, oidc_issuer TEXT, oidc_subject TEXT, account_uid TEXT, entered_at INTEGER, totp_secret TEXT, totp_step INTEGER, recovery_codes TEXT, notices TEXT, notices_since INTEGER) STRICT;

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
, result_bytes INTEGER, spooled_bytes INTEGER, note TEXT, cause TEXT, trace_id TEXT, body_until INTEGER, retried_at INTEGER, tried_ms INTEGER NOT NULL DEFAULT 0, blocked_since INTEGER, blocked_code TEXT, gave_way INTEGER NOT NULL DEFAULT 0) STRICT;

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

CREATE TRIGGER job_body_deleted AFTER DELETE ON job
BEGIN
  DELETE FROM job_body WHERE job_uid = old.uid;
END;

CREATE TABLE webhook_workspace (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
  -- When an endpoint was last made or enabled.
  noted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX job_kept ON job (workspace_id, finished_at) WHERE body_until IS NOT NULL;

CREATE INDEX job_spooled ON job (workspace_id, spooled_bytes)
  WHERE spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL);

CREATE TRIGGER job_body_ended AFTER UPDATE OF status, body_until ON job
WHEN new.finished_at IS NOT NULL AND new.status <> 'PLANNED' AND new.body_until IS NULL
BEGIN
  DELETE FROM job_body WHERE job_uid = new.uid;
END;

CREATE TABLE workspace_move (
  uid TEXT PRIMARY KEY,
  workspace_uid TEXT NOT NULL,
  -- The cell that it goes to.
  cell TEXT NOT NULL,
  url TEXT NOT NULL,
  -- What that cell asks for.
  token TEXT NOT NULL,
  -- COPYING: it is here. HANDED_OVER: it is there, unless that cell knows nothing of it. ARRIVED: it is there, and goes here.
  -- MOVED, CANCELLED: nothing is left to be done.
  status TEXT NOT NULL CHECK (status IN ('COPYING', 'HANDED_OVER', 'ARRIVED', 'MOVED', 'CANCELLED')),
  -- The process that moves it: the name of a lock file that it holds for as long as it lives.
  mover TEXT NOT NULL,
  -- The ledger was restored from a copy: the move may have gone on since.
  is_restored INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
, is_away INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX workspace_move_open ON workspace_move (workspace_uid) WHERE finished_at IS NULL;

CREATE TABLE moved_workspace (
  workspace_uid TEXT PRIMARY KEY,
  cell TEXT NOT NULL,
  url TEXT NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE moved_credential (
  hash BLOB PRIMARY KEY,
  workspace_uid TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX moved_credential_workspace ON moved_credential (workspace_uid);

CREATE TABLE arrival (
  move_uid TEXT PRIMARY KEY,
  workspace_uid TEXT NOT NULL,
  -- The hash of the token of whoever has brought it.
  token BLOB NOT NULL,
  arrived_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX workspace_user_email ON workspace_user (email, workspace_id) WHERE email IS NOT NULL;

CREATE TABLE sign_in_link (
  hash BLOB PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspace,
  -- null: it makes the account of the workspace's owner.
  workspace_user_id INTEGER REFERENCES workspace_user,
  -- Milliseconds since 1970.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_link_workspace ON sign_in_link (workspace_id);

CREATE INDEX sign_in_link_user ON sign_in_link (workspace_user_id) WHERE workspace_user_id IS NOT NULL;

CREATE TABLE console_session (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- Of what the cookie has.
  hash BLOB NOT NULL UNIQUE,
  workspace_user_id INTEGER NOT NULL REFERENCES workspace_user,
  -- What the browser calls itself, so that people tell their sessions apart.
  browser TEXT NOT NULL,
  -- Milliseconds since 1970.
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
, by_provider INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX console_session_user ON console_session (workspace_user_id);

CREATE UNIQUE INDEX workspace_user_oidc ON workspace_user (oidc_issuer, oidc_subject, workspace_id) WHERE oidc_subject IS NOT NULL;

CREATE TABLE operator (
  workspace_user_id INTEGER PRIMARY KEY REFERENCES workspace_user,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE schema_oldest (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;

CREATE INDEX job_blocked ON job (workspace_id, id) WHERE blocked_since IS NOT NULL AND finished_at IS NULL;

CREATE TABLE store_migration (
  workspace_uid TEXT PRIMARY KEY,
  from_version INTEGER NOT NULL,
  to_version INTEGER NOT NULL,
  -- The last migration that was applied.
  at_version INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  -- When it got there. A process that was killed leaves the row.
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_workspace (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
  -- When a message was last written. In ms since 1970, as all times here.
  noted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE mail_budget (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Messages, with decimals.
  left REAL NOT NULL,
  counted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE screener_key (
  workspace_uid TEXT NOT NULL,
  screener_uid TEXT NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY (workspace_uid, screener_uid)
) STRICT, WITHOUT ROWID;

CREATE INDEX workspace_user_account ON workspace_user (coalesce(account_uid, uid));

CREATE INDEX workspace_user_notices ON workspace_user (workspace_id) WHERE notices IS NOT NULL;
