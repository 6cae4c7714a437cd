-- Who qualifies may be reviewed by a person before the places are taken: until then they are held, and do not lapse.
-- Expands.
-- NONE or ALL.
ALTER TABLE screener ADD COLUMN review TEXT NOT NULL DEFAULT 'NONE';

-- PENDING, ACCEPTED or REJECTED. null: it is not reviewed.
ALTER TABLE screener_session ADD COLUMN review_state TEXT;

-- JSON: who has decided, when and why. null: nobody yet.
ALTER TABLE screener_session ADD COLUMN review TEXT;

-- An erasure looks for the person in the reasons.
CREATE INDEX screener_session_review_reason ON screener_session (id) WHERE review ->> '$.reason' IS NOT NULL;

CREATE INDEX screener_session_review ON screener_session (screener_id, review_state, completed_at) WHERE review_state IS NOT NULL;
