-- A draft keeps what its author has not finished, beside what is complete.
-- Expands.

-- JSON of { revision, pieces }. It counts while the draft has this revision: a release that does not know it writes the draft alone.
ALTER TABLE screener_content ADD COLUMN incomplete TEXT;
