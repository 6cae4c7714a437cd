-- Sandboxes: workspaces for trying things out. They are made so, stay so, send no mail, and can be emptied.
-- Expands.
ALTER TABLE workspace ADD COLUMN is_sandbox INTEGER NOT NULL DEFAULT 0;
