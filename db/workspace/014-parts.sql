-- A second level of counts, for workspaces of millions: a *_part table has the sums of 256 blocks. Triggers keep it, so what
-- counts rows counts them in blocks only.

CREATE TABLE participant_part (part INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

INSERT INTO participant_part (part, n)
SELECT block >> 8, sum(n) FROM participant_block GROUP BY block >> 8;

CREATE TRIGGER participant_block_added AFTER INSERT ON participant_block BEGIN
  INSERT INTO participant_part (part, n) VALUES (new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER participant_block_changed AFTER UPDATE OF n ON participant_block BEGIN
  INSERT INTO participant_part (part, n) VALUES (new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER participant_block_removed AFTER DELETE ON participant_block BEGIN
  UPDATE participant_part SET n = n - old.n WHERE part = old.block >> 8;
  DELETE FROM participant_part WHERE part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_participant_part (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, part)
) STRICT, WITHOUT ROWID;

INSERT INTO screener_participant_part (screener_id, status, part, n)
SELECT screener_id, status, block >> 8, sum(n) FROM screener_participant_block GROUP BY screener_id, status, block >> 8;

CREATE TRIGGER screener_participant_block_added AFTER INSERT ON screener_participant_block BEGIN
  INSERT INTO screener_participant_part (screener_id, status, part, n) VALUES (new.screener_id, new.status, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_participant_block_changed AFTER UPDATE OF n ON screener_participant_block BEGIN
  INSERT INTO screener_participant_part (screener_id, status, part, n) VALUES (new.screener_id, new.status, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_participant_block_removed AFTER DELETE ON screener_participant_block BEGIN
  UPDATE screener_participant_part SET n = n - old.n WHERE screener_id = old.screener_id AND status = old.status AND part = old.block >> 8;
  DELETE FROM screener_participant_part WHERE screener_id = old.screener_id AND status = old.status AND part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_session_part (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  state TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, state, part)
) STRICT, WITHOUT ROWID;

INSERT INTO screener_session_part (screener_id, status, state, part, n)
SELECT screener_id, status, state, block >> 8, sum(n) FROM screener_session_block GROUP BY screener_id, status, state, block >> 8;

CREATE TRIGGER screener_session_block_added AFTER INSERT ON screener_session_block BEGIN
  INSERT INTO screener_session_part (screener_id, status, state, part, n) VALUES (new.screener_id, new.status, new.state, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_session_block_changed AFTER UPDATE OF n ON screener_session_block BEGIN
  INSERT INTO screener_session_part (screener_id, status, state, part, n) VALUES (new.screener_id, new.status, new.state, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_session_block_removed AFTER DELETE ON screener_session_block BEGIN
  UPDATE screener_session_part SET n = n - old.n WHERE screener_id = old.screener_id AND status = old.status AND state = old.state AND part = old.block >> 8;
  DELETE FROM screener_session_part WHERE screener_id = old.screener_id AND status = old.status AND state = old.state AND part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_response_part (
  screener_id INTEGER NOT NULL,
  screener_publication_id INTEGER NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, screener_publication_id, part)
) STRICT, WITHOUT ROWID;

INSERT INTO screener_response_part (screener_id, screener_publication_id, part, n)
SELECT screener_id, screener_publication_id, block >> 8, sum(n) FROM screener_response_block GROUP BY screener_id, screener_publication_id, block >> 8;

CREATE TRIGGER screener_response_block_added AFTER INSERT ON screener_response_block BEGIN
  INSERT INTO screener_response_part (screener_id, screener_publication_id, part, n) VALUES (new.screener_id, new.screener_publication_id, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_response_block_changed AFTER UPDATE OF n ON screener_response_block BEGIN
  INSERT INTO screener_response_part (screener_id, screener_publication_id, part, n) VALUES (new.screener_id, new.screener_publication_id, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_response_block_removed AFTER DELETE ON screener_response_block BEGIN
  UPDATE screener_response_part SET n = n - old.n WHERE screener_id = old.screener_id AND screener_publication_id = old.screener_publication_id AND part = old.block >> 8;
  DELETE FROM screener_response_part WHERE screener_id = old.screener_id AND screener_publication_id = old.screener_publication_id AND part = old.block >> 8 AND n = 0;
END;
