-- A consent that is required and not given ends a session; one that was given can be withdrawn; and people can ask for their data, or to be
-- erased. In `outcome_reason` a session without consent is SCREENED_OUT, so that the release before can read it and write it again: shown is
-- NO_CONSENT.
-- Expands.
-- The public id of the question that was not agreed to.
ALTER TABLE screener_session ADD COLUMN refused_uid TEXT;

ALTER TABLE screener_session ADD COLUMN withdrawn_at TEXT;

-- JSON: what was agreed to, by question. It stays when the answers are erased.
ALTER TABLE screener_session ADD COLUMN withdrawn_consents TEXT;

CREATE INDEX screener_session_withdrawn ON screener_session (screener_id) WHERE withdrawn_at IS NOT NULL;

CREATE TABLE participant_request (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('DATA', 'ERASURE')),
  status TEXT NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'DONE')),
  -- Null: the person was erased since. SET NULL, here and below: a release that does not know this table may delete what they refer to.
  participant_id INTEGER REFERENCES participant ON DELETE SET NULL,
  screener_id INTEGER REFERENCES screener ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  done_at TEXT,
  done_by INTEGER REFERENCES actor (id)
) STRICT;

CREATE UNIQUE INDEX participant_request_open ON participant_request (participant_id, kind) WHERE status = 'OPEN';

CREATE INDEX participant_request_participant ON participant_request (participant_id);

CREATE INDEX participant_request_screener ON participant_request (screener_id);

CREATE INDEX participant_request_done_by ON participant_request (done_by);

CREATE TABLE participant_request_block (
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (status, block)
) STRICT, WITHOUT ROWID;
