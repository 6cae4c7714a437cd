-- Signals: what speaks against the answers of a session, for those who review it. They decide nothing.
-- Expands.
-- JSON of src/nouns/signals/settings.ts. null: all are off.
ALTER TABLE screener ADD COLUMN signals TEXT;

CREATE TABLE signal (
  id INTEGER PRIMARY KEY,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- JSON: numbers, and ids of pages and questions.
  evidence TEXT NOT NULL,
  -- Of those that are about several sessions: another one. Without it, the signal says nothing.
  other_session_id INTEGER REFERENCES screener_session ON DELETE CASCADE,
  -- In ms since 1970.
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, kind)
) STRICT;

CREATE INDEX signal_other ON signal (other_session_id) WHERE other_session_id IS NOT NULL;

CREATE INDEX signal_created ON signal (created_at);

-- What a session is compared by with others: hashes, of which the same one means the same text, email, browser or address.
CREATE TABLE signal_mark (
  -- 64 times that of the session, and a number: the marks of a session stand together.
  id INTEGER PRIMARY KEY,
  -- 52 bits.
  hash INTEGER NOT NULL,
  -- When it was made, in days since 1970.
  day INTEGER NOT NULL
) STRICT;

CREATE INDEX signal_mark_hash ON signal_mark (hash);

CREATE TRIGGER signal_mark_forgotten AFTER DELETE ON screener_session BEGIN
  DELETE FROM signal_mark WHERE id >= old.id * 64 AND id < (old.id + 1) * 64;
END;

-- How long the pages of a version are open, over all that have completed it: counts alone.
CREATE TABLE page_times (
  screener_publication_id INTEGER PRIMARY KEY REFERENCES screener_publication ON DELETE CASCADE,
  -- For each page, by its index, 64 numbers of 32 bits: how many sessions had it open that long.
  counts BLOB NOT NULL
) STRICT;
