-- Secrets of screeners by which browsers and blocks of addresses are compared, apart from the stores that have the hashes.
-- Expands.
CREATE TABLE screener_key (
  workspace_uid TEXT NOT NULL,
  screener_uid TEXT NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY (workspace_uid, screener_uid)
) STRICT, WITHOUT ROWID;
