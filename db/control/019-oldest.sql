-- A release of before may go on working while a newer one has migrated the store. The version here is the oldest one whose release still
-- can: a release that knows less refuses the store. A migration that contracts raises it.

CREATE TABLE schema_oldest (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO schema_oldest (id, version) VALUES (1, 19);
