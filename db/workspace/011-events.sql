-- What has changed, in the order of the changes. Rowids have no gaps: a page of the list is found by arithmetic.
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  -- Never before that of the event before.
  created_at INTEGER NOT NULL,
  -- A row of `actor`. 0: the participant whose session is the event's resource.
  actor_id INTEGER NOT NULL,
  request_id TEXT,
  job_uid TEXT,
  resource_type TEXT NOT NULL,
  resource_uid TEXT NOT NULL,
  -- JSON: [{ field, from, to }]
  changes TEXT,
  -- JSON: what there is to say in numbers.
  summary TEXT,
  -- What the caller has said of it.
  note TEXT
) STRICT;

CREATE INDEX event_resource ON event (resource_uid);

CREATE INDEX event_job ON event (job_uid) WHERE job_uid IS NOT NULL;

-- Rows of a type and an actor, in order.
CREATE INDEX event_facets ON event (type, actor_id);

-- Texts of callers, which may name a person. The service's own ids of requests name nobody.
CREATE INDEX event_text ON event (id)
WHERE note IS NOT NULL OR request_id NOT GLOB 'req_????????-????-????-????-????????????';

CREATE TABLE event_block (
  type TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (block, type, actor_id)
) STRICT, WITHOUT ROWID;
