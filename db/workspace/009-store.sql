-- A store says whose it is, so that one that was put in the wrong place is not taken for another workspace's.

CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  workspace_uid TEXT NOT NULL
) STRICT;
