-- Screeners get content, and publications a copy of it. Responses move to keys that are their order: a session's rowid
-- and the question's place in its publication, so that a list of them in session, page and question order is a range.

CREATE TABLE screener_content (
  screener_id INTEGER PRIMARY KEY REFERENCES screener,
  -- Grows with every change: what the ETag is made of.
  revision INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE publication_content (
  screener_publication_id INTEGER PRIMARY KEY REFERENCES screener_publication,
  json TEXT NOT NULL
) STRICT;
INSERT INTO publication_content (screener_publication_id, json)
SELECT id, json_object('pages', json('[]'), 'qualifyWhen', NULL, 'thankYou', NULL, 'thankYouByOutcome', NULL)
FROM screener_publication;

-- Nothing has written responses or questions before this version.
DROP TABLE screener_response;
DROP TABLE screener_response_block;
DROP TABLE publication_question;

-- A question as it was published. `place` is its order in the whole publication, from 0 to 4095.
CREATE TABLE publication_question (
  id INTEGER PRIMARY KEY,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication,
  place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 4095),
  uid TEXT NOT NULL,
  page_uid TEXT NOT NULL,
  -- What the author calls it in tables.
  key TEXT,
  type TEXT NOT NULL,
  prompt TEXT NOT NULL,
  UNIQUE (screener_publication_id, place)
) STRICT;

-- One answer a session and question; answering again replaces it. id = session * 4096 + the question's place.
CREATE TABLE screener_response (
  id INTEGER PRIMARY KEY,
  screener_id INTEGER NOT NULL REFERENCES screener,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication,
  screener_session_id INTEGER NOT NULL REFERENCES screener_session,
  publication_question_id INTEGER NOT NULL REFERENCES publication_question,
  answer TEXT NOT NULL,
  CHECK (id >> 12 = screener_session_id)
) STRICT;
CREATE INDEX screener_response_screener ON screener_response (screener_id);
CREATE INDEX screener_response_publication ON screener_response (screener_publication_id);
CREATE INDEX screener_response_session ON screener_response (screener_session_id);
CREATE INDEX screener_response_question ON screener_response (publication_question_id);
CREATE TABLE screener_response_block (
  screener_id INTEGER NOT NULL,
  screener_publication_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, screener_publication_id, block)
) STRICT, WITHOUT ROWID;
