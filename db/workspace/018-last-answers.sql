-- When somebody last answered a screener, to the minute: written again when it is a minute old. So a study's page need not look at all of
-- its sessions, and an answer need not write it.

ALTER TABLE screener ADD COLUMN last_answer_at TEXT;

UPDATE screener SET last_answer_at = (SELECT max(last_active_at) FROM screener_session WHERE screener_id = screener.id);
