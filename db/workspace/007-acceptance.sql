-- A screener can be paused or closed, and can have times between which it takes answers. Without either, as before, one
-- whose publications are archived would take answers for ever.

ALTER TABLE screener ADD COLUMN acceptance TEXT NOT NULL DEFAULT 'OPEN' CHECK (acceptance IN ('OPEN', 'PAUSED', 'CLOSED'));
ALTER TABLE screener ADD COLUMN opens_at TEXT;
ALTER TABLE screener ADD COLUMN closes_at TEXT;
