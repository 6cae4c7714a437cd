-- An import with many new people drops the indexes on external ids and emails, and builds them again after its rows. Indexes
-- of a UNIQUE constraint can't be dropped, so the table is made anew without these constraints.

CREATE TABLE participant_rebuilt (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  external_uid TEXT NOT NULL,
  email TEXT COLLATE NOCASE,
  name TEXT,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  attributes TEXT NOT NULL DEFAULT '{}'
) STRICT;

INSERT INTO participant_rebuilt
  (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at, attributes)
SELECT id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at, attributes
FROM participant ORDER BY id;

DROP TABLE participant;

ALTER TABLE participant_rebuilt RENAME TO participant;

CREATE UNIQUE INDEX participant_external_uid ON participant (external_uid);

CREATE UNIQUE INDEX participant_email ON participant (email);
