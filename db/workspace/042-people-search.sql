-- People are found by any words of their names, emails and external ids. The index is filled after the fact, in short steps (db/people-search.ts).
-- Expands.

-- It has no texts, only words and where they are. `words` is what search_words() makes (db/sqlite/words.ts).
CREATE VIRTUAL TABLE participant_search USING fts5(
  words,
  content = '',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);

-- What is removed from it is removed from its pages, too.
INSERT INTO participant_search (participant_search, rank) VALUES ('secure-delete', 1);

-- One row. The index has the participants up to this rowid, as they were when they were added to it.
CREATE TABLE participant_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  indexed_until INTEGER NOT NULL,
  -- Counts what may have left words in pages of the index. 0: nothing.
  leftovers INTEGER NOT NULL
) STRICT;

INSERT INTO participant_search_state (id, indexed_until, leftovers) VALUES (1, 0, 0);

-- Participants up to that rowid who were changed or removed since.
CREATE TABLE participant_reindex (
  id INTEGER PRIMARY KEY,
  -- What the index has of the participant. Null: nothing.
  former_name TEXT,
  former_email TEXT,
  former_external_uid TEXT
) STRICT;

-- Triggers, because the release before knows nothing of the index. There is none for new participants, who are the many.
CREATE TRIGGER participant_search_changed AFTER UPDATE OF external_uid, email, name ON participant
WHEN old.id BETWEEN 1 AND (SELECT indexed_until FROM participant_search_state)
  AND (old.name IS NOT new.name OR old.email IS NOT new.email OR old.external_uid IS NOT new.external_uid)
BEGIN
  INSERT INTO participant_reindex (id, former_name, former_email, former_external_uid)
  VALUES (old.id, old.name, old.email, old.external_uid) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER participant_search_removed AFTER DELETE ON participant
WHEN old.id BETWEEN 1 AND (SELECT indexed_until FROM participant_search_state)
BEGIN
  INSERT INTO participant_reindex (id, former_name, former_email, former_external_uid)
  VALUES (old.id, old.name, old.email, old.external_uid) ON CONFLICT DO NOTHING;
END;
