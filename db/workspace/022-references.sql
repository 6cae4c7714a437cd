-- What people get instead of a session's id, which opens its page: a reference, the id encrypted with a key that never leaves the workspace's
-- store (db/opaque.ts). Sessions have it as a column, so that lists need not encrypt; where the release before has opened one, it is null,
-- and made when it is shown.
-- Expands.

CREATE TABLE reference_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL CHECK (length(key) = 16)
) STRICT;

INSERT INTO reference_key (id, key) VALUES (1, randomblob(16));

ALTER TABLE screener_session ADD COLUMN reference TEXT;
