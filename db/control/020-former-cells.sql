-- The names that the cell had before, with commas between them: other cells go on finding it by these.
-- Expands.
ALTER TABLE installation ADD COLUMN former_cells TEXT;
