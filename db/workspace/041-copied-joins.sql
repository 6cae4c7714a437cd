-- A copy of a session, which an offer of a quota makes, keeps the link by which its participant has joined. The link counts its participants,
-- and so not the copies.
-- Expands.

ALTER TABLE screener_session ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER screener_session_link_state;

CREATE TRIGGER screener_session_link_state AFTER UPDATE OF state ON screener_session
WHEN new.screener_link_id IS NOT NULL AND new.is_copy = 0 AND new.state <> old.state BEGIN
  UPDATE screener_link SET started = started + (new.state <> 'NOT_STARTED') - (old.state <> 'NOT_STARTED'),
    completed = completed + (new.state = 'COMPLETED') - (old.state = 'COMPLETED') WHERE id = new.screener_link_id;
END;

DROP TRIGGER screener_session_link_deleted;

CREATE TRIGGER screener_session_link_deleted AFTER DELETE ON screener_session WHEN old.screener_link_id IS NOT NULL AND old.is_copy = 0 BEGIN
  UPDATE screener_link SET started = started - (old.state <> 'NOT_STARTED'), completed = completed - (old.state = 'COMPLETED')
    WHERE id = old.screener_link_id;
END;
