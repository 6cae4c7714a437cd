-- What the undo of a move of links to another publication needs: each session, where it came from and where it went.
-- Expands.

CREATE TABLE effect_move (
  -- CASCADE: a release that does not know this table removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  -- Rowids of publications and of their lists of tags.
  from_publication INTEGER NOT NULL,
  from_tags INTEGER NOT NULL,
  to_publication INTEGER NOT NULL,
  to_tags INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;
