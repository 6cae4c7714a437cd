-- Addresses that are signed: redirects to other sites, and open links that take only what another site has signed.
-- Expands.

-- One row. The former secret counts until a time, in milliseconds.
CREATE TABLE signing_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL,
  previous_secret TEXT,
  previous_expires_at INTEGER
) STRICT;

ALTER TABLE screener_link ADD COLUMN requires_signature INTEGER NOT NULL DEFAULT 0;
