-- Tables of answers show the sessions of a study by the time of their first answer, the newest first.
-- Expands.
CREATE INDEX screener_session_started ON screener_session (screener_id, started_at)
  WHERE started_at IS NOT NULL AND is_test = 0 AND withdrawn_at IS NULL;
