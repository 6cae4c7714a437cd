-- The cell that this data directory is, if it has a name: keys, tokens and links that it makes carry it.
ALTER TABLE installation ADD COLUMN cell TEXT;

-- PAUSED: its jobs wait. STOPPED: nothing of it is served. MOVED: another cell serves it.
ALTER TABLE workspace ADD COLUMN moving TEXT CHECK (moving IN ('PAUSED', 'STOPPED', 'MOVED'));
-- The cells that it was in before, with commas between them: what they have made carries their names.
ALTER TABLE workspace ADD COLUMN former_cells TEXT;

-- Moves of workspaces from here to other cells.
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
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX workspace_move_open ON workspace_move (workspace_uid) WHERE finished_at IS NULL;

-- Where to requests for workspaces are passed on that are not here any more.
CREATE TABLE moved_workspace (
  workspace_uid TEXT PRIMARY KEY,
  cell TEXT NOT NULL,
  url TEXT NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Their keys and tokens, hashed.
CREATE TABLE moved_credential (
  hash BLOB PRIMARY KEY,
  workspace_uid TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX moved_credential_workspace ON moved_credential (workspace_uid);

-- Moves of workspaces from other cells that were completed here.
CREATE TABLE arrival (
  move_uid TEXT PRIMARY KEY,
  workspace_uid TEXT NOT NULL,
  -- The hash of the token of whoever has brought it.
  token BLOB NOT NULL,
  arrived_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
