-- Places of quotas that jobs have given: completed sessions that were counted again, and offers to participants who were turned away.
-- Expands.

CREATE TABLE effect_place (
  -- CASCADE: a release that does not know these tables removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  quota_id INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_offer (
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  -- The session that goes on: the one that was over quota, or a copy of it.
  session_id INTEGER NOT NULL,
  is_copy INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

-- Until when a session that was over quota is offered places, in ms since 1970; and JSON of what it was: see OfferedSession. null: it is
-- not, or the participant has answered since.
ALTER TABLE screener_session ADD COLUMN offered_until INTEGER;
ALTER TABLE screener_session ADD COLUMN offer TEXT;

CREATE INDEX screener_session_offered ON screener_session (offered_until) WHERE offered_until IS NOT NULL;
