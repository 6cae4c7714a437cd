-- Who asks for a workspace that was handed over to a cell is told when that cell does not answer.
-- Expands.
ALTER TABLE workspace_move ADD COLUMN is_away INTEGER NOT NULL DEFAULT 0;
