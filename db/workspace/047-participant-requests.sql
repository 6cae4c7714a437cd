-- Participants ask for their data, or to be erased, at their links; and the answers of those who have withdrawn can be erased.
-- Expands.
CREATE TABLE participant_request (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may erase the participant.
  participant_id INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  -- At whose link it was asked for. null: that was deleted with its screener.
  screener_session_id INTEGER REFERENCES screener_session ON DELETE SET NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'OPEN',
  created_at TEXT NOT NULL,
  closed_by INTEGER REFERENCES actor (id),
  closed_at TEXT
) STRICT;

-- One open request of a kind for each participant.
CREATE UNIQUE INDEX participant_request_open ON participant_request (participant_id, kind) WHERE state = 'OPEN';

CREATE INDEX participant_request_participant ON participant_request (participant_id, kind, id);

CREATE INDEX participant_request_session ON participant_request (screener_session_id) WHERE screener_session_id IS NOT NULL;

CREATE INDEX participant_request_closed_by ON participant_request (closed_by) WHERE closed_by IS NOT NULL;

CREATE TABLE participant_request_block (
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (kind, state, block)
) STRICT, WITHOUT ROWID;

-- Here and not in the code: requests go with their participants also where a release does not know them.
CREATE TRIGGER participant_request_deleted AFTER DELETE ON participant_request BEGIN
  UPDATE participant_request_block SET n = n - 1 WHERE kind = old.kind AND state = old.state AND block = old.id >> 10;
END;

ALTER TABLE screener_session ADD COLUMN answers_erased_at TEXT;
