-- A publication says in which languages it can be read.
-- Expands.
-- JSON: its own language first.
ALTER TABLE screener_publication ADD COLUMN languages TEXT NOT NULL DEFAULT '["en"]';
