-- Which workspaces' stores are being migrated, and how far that is: for all processes.
-- Expands.

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
