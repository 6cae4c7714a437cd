-- Workspaces can be suspended and deleted, keep answers and people for a time only, and users can be disabled.

-- Set: no credentials and no links of the workspace work, and its jobs wait.
ALTER TABLE workspace ADD COLUMN suspended_at INTEGER;

-- Answers of sessions that were not active for so many months go, and participants without an assignment for so many days.
ALTER TABLE workspace ADD COLUMN answers_months INTEGER;
ALTER TABLE workspace ADD COLUMN unassigned_days INTEGER;

-- Whether deleted data was always overwritten in its store. Releases before 1.1.0 left copies in free space.
ALTER TABLE workspace ADD COLUMN is_overwritten INTEGER NOT NULL DEFAULT 0;
ALTER TABLE installation ADD COLUMN is_overwritten INTEGER NOT NULL DEFAULT 0;

ALTER TABLE workspace_user ADD COLUMN disabled_at INTEGER;
