-- A screener has arms: each session is given one of each assignment, by chance or where the fewest are.
-- Expands.
CREATE TABLE screener_arm (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  assignment_uid TEXT NOT NULL,
  -- As in the newest publication that has it.
  assignment_name TEXT NOT NULL,
  name TEXT NOT NULL,
  -- How many rows session_arm has of it, kept by triggers.
  given INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX screener_arm_screener ON screener_arm (screener_id);

-- The sessions that count for an arm. One that is given up, screened out or removed, and a test, has no row.
CREATE TABLE session_arm (
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  arm_id INTEGER NOT NULL REFERENCES screener_arm ON DELETE CASCADE,
  -- Until when a session in progress counts, in ms since 1970. null: it is completed.
  expires_at INTEGER,
  PRIMARY KEY (session_id, arm_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_arm_arm ON session_arm (arm_id, expires_at);

CREATE TRIGGER session_arm_added AFTER INSERT ON session_arm BEGIN
  UPDATE screener_arm SET given = given + 1 WHERE id = new.arm_id;
END;

CREATE TRIGGER session_arm_removed AFTER DELETE ON session_arm BEGIN
  UPDATE screener_arm SET given = given - 1 WHERE id = old.arm_id;
END;

-- JSON: the ids of the arms that a session was given, by the ids of the assignments. null: none.
ALTER TABLE screener_session ADD COLUMN arms TEXT;

-- The secret that draws come from. Apart from the screener, because nothing may show it.
CREATE TABLE draw_seed (
  screener_id INTEGER PRIMARY KEY REFERENCES screener ON DELETE CASCADE,
  seed BLOB NOT NULL
) STRICT;

-- How arms are drawn: see DRAW_VERSION.
ALTER TABLE publication_content ADD COLUMN draw_version INTEGER NOT NULL DEFAULT 1;
