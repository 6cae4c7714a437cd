-- Mailings: what people of a study are written, and when. Their messages are rows of the outbox, which has no words: those are made when a message is sent.
-- Expands.
CREATE TABLE mailing (
  id INTEGER PRIMARY KEY,
  -- The id of the job that has written its messages.
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Of a paused one: by whom, or why.
  paused_because TEXT,
  -- JSON: subject and body in each language, of the first message and of each reminder.
  texts TEXT NOT NULL,
  -- JSON: to whom, as it was asked for.
  recipients TEXT NOT NULL,
  -- Times in ms since 1970. Null: as soon as it was planned.
  at INTEGER,
  -- JSON: the days and hours at which it is sent. Null: at any time.
  hours TEXT,
  per_minute INTEGER,
  -- What may leave now of what may leave in a minute, and when that was counted.
  pace_left REAL,
  paced_at INTEGER,
  resends_uncertain INTEGER NOT NULL,
  -- When it may send the next message. Null: never, as it is now.
  next_at INTEGER,
  -- When its first message was SENDING.
  begun_at INTEGER,
  ended_at INTEGER,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL REFERENCES actor (id),
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX mailing_screener ON mailing (screener_id);

CREATE INDEX mailing_created_by ON mailing (created_by);

CREATE INDEX mailing_updated_by ON mailing (updated_by);

CREATE INDEX mailing_next ON mailing (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE mailing_block (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, block)
) STRICT, WITHOUT ROWID;

-- The hash of the words that it was made from, and of those that were sent.
ALTER TABLE message ADD COLUMN template TEXT;

ALTER TABLE message ADD COLUMN content_hash TEXT;

-- The hash of the mailing and the address: an address that went to another participant gets no second message. With whom it was sent to it goes.
ALTER TABLE message ADD COLUMN address_hash TEXT;

CREATE INDEX message_address_hash ON message (mailing_id, address_hash) WHERE address_hash IS NOT NULL;

-- Messages of mailings stay with their participants; what waits of a paused mailing must not hold up the others.
DROP INDEX message_due;

CREATE INDEX message_due ON message (due_at) WHERE due_at IS NOT NULL AND mailing_id IS NULL;

CREATE INDEX message_due_of_mailing ON message (mailing_id, due_at) WHERE due_at IS NOT NULL AND mailing_id IS NOT NULL;

DROP INDEX message_ended;

CREATE INDEX message_ended ON message (ended_at) WHERE ended_at IS NOT NULL AND mailing_id IS NULL;

-- Only messages of mailings are counted.
CREATE TABLE message_block (
  mailing_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, state, block)
) STRICT, WITHOUT ROWID;

-- Counted here and not in the code: messages go with their participants, and mailings with their screeners, also where a release does not know them.
CREATE TRIGGER message_added AFTER INSERT ON message WHEN new.mailing_id IS NOT NULL BEGIN
  INSERT INTO message_block (mailing_id, state, block, n) VALUES (new.mailing_id, new.state, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER message_changed AFTER UPDATE OF state ON message WHEN new.mailing_id IS NOT NULL AND new.state <> old.state BEGIN
  UPDATE message_block SET n = n - 1 WHERE mailing_id = old.mailing_id AND state = old.state AND block = old.id >> 10;
  INSERT INTO message_block (mailing_id, state, block, n) VALUES (new.mailing_id, new.state, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER message_removed AFTER DELETE ON message WHEN old.mailing_id IS NOT NULL BEGIN
  UPDATE message_block SET n = n - 1 WHERE mailing_id = old.mailing_id AND state = old.state AND block = old.id >> 10;
END;

CREATE TRIGGER mailing_added AFTER INSERT ON mailing BEGIN
  INSERT INTO mailing_block (screener_id, status, block, n) VALUES (new.screener_id, new.status, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER mailing_changed AFTER UPDATE OF status ON mailing WHEN new.status <> old.status BEGIN
  UPDATE mailing_block SET n = n - 1 WHERE screener_id = old.screener_id AND status = old.status AND block = old.id >> 10;
  INSERT INTO mailing_block (screener_id, status, block, n) VALUES (new.screener_id, new.status, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- What waits of it goes. That people were written to stays with them for a time, as of any other message.
CREATE TRIGGER mailing_removed AFTER DELETE ON mailing BEGIN
  UPDATE mailing_block SET n = n - 1 WHERE screener_id = old.screener_id AND status = old.status AND block = old.id >> 10;
  DELETE FROM message WHERE mailing_id = old.id AND ended_at IS NULL;
  UPDATE message SET mailing_id = NULL, step = NULL WHERE mailing_id = old.id;
  DELETE FROM message_block WHERE mailing_id = old.id;
END;
