-- Arms are listed in the order of the newest publication, and sessions are found by the arms that they were given.
-- Expands.

-- Where the newest publication has it. null: it lacks it.
ALTER TABLE screener_arm ADD COLUMN position INTEGER DEFAULT 0;

-- All sessions that were given an arm, whether they count for it or not: screener_session.arms, the other way round. Triggers keep it,
-- but for sessions that are made with arms: a trigger for those would slow down all others.
CREATE TABLE given_arm (
  arm_id INTEGER NOT NULL REFERENCES screener_arm ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (arm_id, session_id)
) STRICT, WITHOUT ROWID;

INSERT INTO given_arm (arm_id, session_id)
  SELECT DISTINCT a.id, s.id FROM screener_session AS s, json_each(s.arms) AS j JOIN screener_arm AS a ON a.uid = j.value
  WHERE s.arms IS NOT NULL ORDER BY 1, 2;

CREATE TRIGGER screener_session_arms_changed AFTER UPDATE OF arms ON screener_session WHEN new.arms IS NOT old.arms BEGIN
  DELETE FROM given_arm WHERE session_id = old.id
    AND arm_id IN (SELECT a.id FROM json_each(old.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value);
  INSERT OR IGNORE INTO given_arm (arm_id, session_id)
    SELECT a.id, new.id FROM json_each(new.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value;
END;

CREATE TRIGGER screener_session_arms_removed AFTER DELETE ON screener_session WHEN old.arms IS NOT NULL BEGIN
  DELETE FROM given_arm WHERE session_id = old.id
    AND arm_id IN (SELECT a.id FROM json_each(old.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value);
END;
