-- The X-Action-Note of the request.
ALTER TABLE job ADD COLUMN note TEXT;

-- Events of what has changed in this store, until they are in the log of their workspace.
CREATE TABLE pending_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_uid TEXT NOT NULL,
  -- A whole event, as JSON.
  json TEXT NOT NULL
) STRICT;
