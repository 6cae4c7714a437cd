-- Stores from before these indexes lost their further columns in 001 still have the wide ones, which no list needs: a page
-- is found by its blocks, in the order of the row keys.

DROP INDEX screener_participant_screener;
CREATE INDEX screener_participant_screener ON screener_participant (screener_id);
DROP INDEX screener_session_screener;
CREATE INDEX screener_session_screener ON screener_session (screener_id);
