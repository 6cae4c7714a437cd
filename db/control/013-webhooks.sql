-- The workspaces that may have something to send. Their stores are looked at; the others cost nothing.
CREATE TABLE webhook_workspace (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
  -- When an endpoint was last made or enabled.
  noted_at INTEGER NOT NULL
) STRICT;
