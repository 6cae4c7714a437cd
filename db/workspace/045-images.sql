-- Statements of studies show images.
-- Expands.
CREATE TABLE image (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- SHA-256 of its bytes, in hexadecimal, cut to 32 characters: what is sent again is the same image.
  hash TEXT NOT NULL UNIQUE,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  -- In ms since 1970: when it was sent last, or found in a draft.
  wanted_at INTEGER NOT NULL,
  -- A publication that shows it. SET NULL: another one may show it, too.
  screener_publication_id INTEGER REFERENCES screener_publication ON DELETE SET NULL
) STRICT;
CREATE INDEX image_publication ON image (screener_publication_id);
CREATE INDEX image_wanted ON image (wanted_at) WHERE screener_publication_id IS NULL;
