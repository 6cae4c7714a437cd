-- A study has a time zone, an end of its links, and a time for which a quota holds a place. And sessions can be tests of a study.
-- Expands.
ALTER TABLE screener ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE screener ADD COLUMN link_expires_at TEXT;
ALTER TABLE screener ADD COLUMN quota_hold_minutes INTEGER NOT NULL DEFAULT 30;

-- 1: a test. It is not in the counts of sessions and responses, and in lists only where a filter asks for it.
ALTER TABLE screener_session ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;

CREATE INDEX screener_session_test ON screener_session (screener_id) WHERE is_test = 1;
