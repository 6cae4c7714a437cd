-- The log of events has an id, so that its readers see that a backup was restored.

-- Changes with each restore. null: none yet, and the id is the workspace's.
ALTER TABLE store ADD COLUMN log_uid TEXT;

-- Events of the control store that are in the log under another id: that of the pending event was lower than the last one there.
CREATE TABLE moved_event (
  pending_uid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
