-- The X-Action-Note of the request.
ALTER TABLE job ADD COLUMN note TEXT;

-- Who has it run, if that is not who submitted it: JSON { actor, requestId, note }.
ALTER TABLE job ADD COLUMN cause TEXT;

-- Events of what has changed in this store, until they are in the log of their workspace.
CREATE TABLE pending_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_uid TEXT NOT NULL,
  -- A whole event, as JSON.
  json TEXT NOT NULL
) STRICT;
