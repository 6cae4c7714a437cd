-- A screener that nobody works on any more is archived: lists of the console leave it out, and it can be brought back.
-- Expands.
ALTER TABLE screener ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
