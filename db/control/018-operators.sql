-- When a backup was last taken, and how many workspaces are not in it; and which users may see the figures of all workspaces. These are
-- in a table of their own, because a user who moves to another cell is no operator there.

ALTER TABLE installation ADD COLUMN backup_at INTEGER;

ALTER TABLE installation ADD COLUMN backup_failed INTEGER;

CREATE TABLE operator (
  workspace_user_id INTEGER PRIMARY KEY REFERENCES workspace_user,
  created_at INTEGER NOT NULL
) STRICT;
