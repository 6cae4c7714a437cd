-- Staff write notes on participants, which those never see at their links.
-- Expands.
CREATE TABLE participant_note (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  participant_id INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  note TEXT NOT NULL,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX participant_note_participant ON participant_note (participant_id);

CREATE INDEX participant_note_created_by ON participant_note (created_by);

CREATE TABLE participant_note_block (block INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

-- Jobs that remove participants do so without CASCADE, and a release may not know this table.
CREATE TRIGGER participant_note_without_participant AFTER DELETE ON participant BEGIN
  DELETE FROM participant_note WHERE participant_id = old.id;
END;

CREATE TRIGGER participant_note_deleted AFTER DELETE ON participant_note BEGIN
  UPDATE participant_note_block SET n = n - 1 WHERE block = old.id >> 10;
END;
