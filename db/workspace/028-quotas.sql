-- A screener has quotas: cells in which participants hold and take places, over all its publications.
-- Expands.
CREATE TABLE screener_quota (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- JSON: the condition that it was first published with. It never changes. null: everybody.
  rule TEXT,
  mode TEXT NOT NULL,
  -- null: none, because it only counts.
  max_places INTEGER,
  -- The highest limit that it ever had.
  peak_places INTEGER,
  paused INTEGER NOT NULL DEFAULT 0,
  -- Where it stands in the draft. null: it is gone from there.
  position INTEGER,
  -- How many places are taken and held, kept by triggers. Those of people who were erased are numbers alone.
  taken INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  erased_taken INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX screener_quota_screener ON screener_quota (screener_id, position);

CREATE TABLE quota_place (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  quota_id INTEGER NOT NULL REFERENCES screener_quota ON DELETE CASCADE,
  participant_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  -- HELD, TAKEN, RELEASED
  state TEXT NOT NULL,
  -- Why it was given back.
  reason TEXT,
  is_over_limit INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  -- In ms since 1970. null: it does not lapse.
  expires_at INTEGER
) STRICT;

-- One place a participant, however many sessions there are.
CREATE UNIQUE INDEX quota_place_one ON quota_place (quota_id, participant_id) WHERE state IN ('HELD', 'TAKEN');

CREATE INDEX quota_place_state ON quota_place (quota_id, state);

CREATE INDEX quota_place_session ON quota_place (session_id);

CREATE INDEX quota_place_lapse ON quota_place (quota_id, expires_at) WHERE state = 'HELD';

CREATE TRIGGER quota_place_added AFTER INSERT ON quota_place BEGIN
  UPDATE screener_quota SET taken = taken + (new.state = 'TAKEN'), held = held + (new.state = 'HELD')
  WHERE id = new.quota_id;
END;

CREATE TRIGGER quota_place_changed AFTER UPDATE OF state ON quota_place WHEN old.state <> new.state BEGIN
  UPDATE screener_quota SET taken = taken + (new.state = 'TAKEN') - (old.state = 'TAKEN'),
    held = held + (new.state = 'HELD') - (old.state = 'HELD')
  WHERE id = new.quota_id;
END;

CREATE TRIGGER quota_place_removed AFTER DELETE ON quota_place WHEN old.state <> 'RELEASED' BEGIN
  UPDATE screener_quota SET taken = taken - (old.state = 'TAKEN'), held = held - (old.state = 'HELD')
  WHERE id = old.quota_id;
END;

-- JSON: the ids of the quotas in which there was no place for the session, in their order.
ALTER TABLE screener_session ADD COLUMN outcome_quota_ids TEXT;

-- JSON: the ids of the quotas that a completed session is in, by its answers and attributes when it was completed. Answers may go, and
-- attributes change, but what was counted stays. null: none.
ALTER TABLE screener_session ADD COLUMN quota_ids TEXT;
