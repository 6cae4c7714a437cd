-- A consent that is required and not given ends a session; one that was given can be withdrawn. In `outcome_reason` a session without consent is SCREENED_OUT, so that the release before can read it and write it again: shown is
-- NO_CONSENT.
-- Expands.
-- The public id of the question that was not agreed to.
ALTER TABLE screener_session ADD COLUMN refused_uid TEXT;

ALTER TABLE screener_session ADD COLUMN withdrawn_at TEXT;

-- JSON: what was agreed to, by question. It stays when the answers are erased.
ALTER TABLE screener_session ADD COLUMN withdrawn_consents TEXT;

CREATE INDEX screener_session_withdrawn ON screener_session (screener_id) WHERE withdrawn_at IS NOT NULL;
