-- What sessions were before a job has reviewed them, so that it can be undone.
-- Expands.

CREATE TABLE effect_review (
  -- CASCADE: a release that does not know this table removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  -- As the columns `review_state` and `review` of the session.
  review_state TEXT NOT NULL,
  review TEXT,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;
