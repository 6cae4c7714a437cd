-- Stores from before the column was part of 002 lack it. Their questions have no key.
-- Only where missing: publication_question.key

ALTER TABLE publication_question ADD COLUMN key TEXT;
