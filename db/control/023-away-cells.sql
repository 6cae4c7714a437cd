-- A cell that does not answer is known: requests for a workspace that was handed over to it are refused with that reason.
-- Expands.
ALTER TABLE workspace_move ADD COLUMN is_away INTEGER NOT NULL DEFAULT 0;
