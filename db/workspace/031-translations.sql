-- The texts of a screener have translations; a publication has those of its moment.
-- Expands.
CREATE TABLE screener_translation (
  id INTEGER PRIMARY KEY,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- Increases with each change.
  revision INTEGER NOT NULL,
  -- JSON: by the ids of strings, the text and the hash of the text that it translates.
  json TEXT NOT NULL,
  UNIQUE (screener_id, language)
) STRICT;

CREATE TABLE publication_translation (
  id INTEGER PRIMARY KEY,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- JSON: `texts` by the ids of strings; `stale`: the ids of those that translate a former text.
  json TEXT NOT NULL,
  UNIQUE (screener_publication_id, language)
) STRICT;
