-- Stand-in.
-- Expands.
ALTER TABLE screener ADD COLUMN quota_hold_minutes INTEGER NOT NULL DEFAULT 30;
