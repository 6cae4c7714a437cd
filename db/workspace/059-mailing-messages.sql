-- A mailing to many writes a message for each: in two indexes instead of three beside that of its id, and what was written at once is counted at once. The last release knows no messages.
-- Contracts: the oldest schema version is 21.

-- It also finds the messages of a person, of mailings and others.
DROP INDEX message_of_mailing;

CREATE UNIQUE INDEX message_of_mailing ON message (participant_id, mailing_id, step) WHERE participant_id IS NOT NULL;

DROP INDEX message_participant;

-- Code that adds messages of mailings counts them.
DROP TRIGGER message_added;

-- It finds the messages of a mailing by the blocks that have some.
DROP TRIGGER mailing_removed;

CREATE TRIGGER mailing_removed AFTER DELETE ON mailing BEGIN
  UPDATE mailing_block SET n = n - 1 WHERE screener_id = old.screener_id AND status = old.status AND block = old.id >> 10;
  DELETE FROM message WHERE ended_at IS NULL AND id IN (SELECT m.id FROM (SELECT DISTINCT block FROM message_block WHERE mailing_id = old.id) AS b
    CROSS JOIN message AS m ON m.id >= b.block << 10 AND m.id < (b.block + 1) << 10 WHERE m.mailing_id = old.id);
  UPDATE message SET mailing_id = NULL, step = NULL WHERE id IN (SELECT m.id FROM (SELECT DISTINCT block FROM message_block WHERE mailing_id = old.id) AS b
    CROSS JOIN message AS m ON m.id >= b.block << 10 AND m.id < (b.block + 1) << 10 WHERE m.mailing_id = old.id);
  DELETE FROM message_block WHERE mailing_id = old.id;
END;

UPDATE schema_oldest SET version = 21;
