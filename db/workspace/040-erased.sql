-- Participants can be erased. They still count for the quota of the publications that they have qualified by.

ALTER TABLE screener_publication ADD COLUMN erased_qualified INTEGER NOT NULL DEFAULT 0;

-- Participants without an assignment, and when the upkeep saw that first. Only where they are kept for a time only.
CREATE TABLE unassigned (
  participant_uid TEXT PRIMARY KEY,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
