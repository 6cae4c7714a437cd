-- The workspaces that may have mail to send, and how many messages may leave just now, of all workspaces together.
-- Expands.
CREATE TABLE mail_workspace (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
  -- When a message was last written. In ms since 1970, as all times here.
  noted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE mail_budget (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Messages, with decimals.
  left REAL NOT NULL,
  counted_at INTEGER NOT NULL
) STRICT;
