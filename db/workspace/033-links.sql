-- Links that are open to everybody: who answers the first page of one joins the study.
-- Expands.
CREATE TABLE screener_link (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  -- What stands at the end of its address.
  token TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'ACTIVE',
  -- JSON: what it asks beside the first page; and whether that must be said.
  ask TEXT NOT NULL,
  is_required INTEGER NOT NULL,
  -- How many may join. null: any number.
  max_joins INTEGER,
  opens_at TEXT,
  closes_at TEXT,
  -- JSON: attributes of those who join, and the query parameters that become attributes.
  attributes TEXT NOT NULL,
  accept TEXT NOT NULL,
  one_each TEXT NOT NULL,
  -- Whether an email that is typed is confirmed by a mail.
  confirms_email INTEGER NOT NULL DEFAULT 0,
  -- How many have joined, whatever has become of them; and how many sessions of theirs are started, and completed, now.
  joined INTEGER NOT NULL DEFAULT 0,
  started INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL REFERENCES actor (id),
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX screener_link_screener ON screener_link (screener_id);

CREATE INDEX screener_link_created_by ON screener_link (created_by);

CREATE INDEX screener_link_updated_by ON screener_link (updated_by);

CREATE TABLE screener_link_block (
  screener_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, block)
) STRICT, WITHOUT ROWID;

-- The link by which a session's participant has joined, and the email that was typed there: nobody has confirmed it.
ALTER TABLE screener_session ADD COLUMN screener_link_id INTEGER REFERENCES screener_link ON DELETE SET NULL;

ALTER TABLE screener_session ADD COLUMN claimed_email TEXT;

-- The order by chance was drawn with the first page. A form that is sent twice has the same one.
CREATE INDEX screener_session_link ON screener_session (screener_link_id, order_of) WHERE screener_link_id IS NOT NULL;

CREATE TRIGGER screener_session_link_state AFTER UPDATE OF state ON screener_session
WHEN new.screener_link_id IS NOT NULL AND new.state <> old.state BEGIN
  UPDATE screener_link SET started = started + (new.state <> 'NOT_STARTED') - (old.state <> 'NOT_STARTED'),
    completed = completed + (new.state = 'COMPLETED') - (old.state = 'COMPLETED') WHERE id = new.screener_link_id;
END;

CREATE TRIGGER screener_session_link_deleted AFTER DELETE ON screener_session WHEN old.screener_link_id IS NOT NULL BEGIN
  UPDATE screener_link SET started = started - (old.state <> 'NOT_STARTED'), completed = completed - (old.state = 'COMPLETED')
    WHERE id = old.screener_link_id;
END;
