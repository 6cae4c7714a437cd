-- What is wrong with workspaces' stores, for all processes and for whoever looks after them; and when each was last checked.

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
