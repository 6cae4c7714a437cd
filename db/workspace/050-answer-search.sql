-- The answers to text questions are found by their words. The index is filled when somebody searches, and never while people answer (db/answer-search.ts).
-- Expands.

-- It has no texts, only words and where they are, by the rowids of responses.
CREATE VIRTUAL TABLE answer_search USING fts5(
  words,
  content = '',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);

-- What is removed from it is removed from its pages, too.
INSERT INTO answer_search (answer_search, rank) VALUES ('secure-delete', 1);

-- The responses that are in the index.
CREATE TABLE answer_searched (id INTEGER PRIMARY KEY) STRICT;

-- Those of them that were changed or removed since, with the answer that the index has.
CREATE TABLE answer_former (
  id INTEGER PRIMARY KEY,
  answer TEXT NOT NULL
) STRICT;

-- One row. It counts what may have left words in pages of the index. 0: nothing.
CREATE TABLE answer_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  leftovers INTEGER NOT NULL
) STRICT;

INSERT INTO answer_search_state (id, leftovers) VALUES (1, 0);

-- Triggers, because the release before knows nothing of the index. There is none for new answers.
CREATE TRIGGER answer_search_changed AFTER UPDATE OF answer ON screener_response WHEN old.answer IS NOT new.answer BEGIN
  INSERT INTO answer_former (id, answer) SELECT id, old.answer FROM answer_searched WHERE id = old.id AND true ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER answer_search_removed AFTER DELETE ON screener_response BEGIN
  INSERT INTO answer_former (id, answer) SELECT id, old.answer FROM answer_searched WHERE id = old.id AND true ON CONFLICT DO NOTHING;
END;
