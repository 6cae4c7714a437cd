-- Participants' pages say the workspace's own words, or those of a study, in place of the service's.
-- Expands.
CREATE TABLE page_words (
  id INTEGER PRIMARY KEY,
  -- null: of all studies. CASCADE: a release that does not know this table may delete what it refers to.
  screener_id INTEGER REFERENCES screener ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- JSON: texts by their keys.
  json TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX page_words_language ON page_words (coalesce(screener_id, 0), language);
CREATE INDEX page_words_screener ON page_words (screener_id);
