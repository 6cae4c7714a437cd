-- What a user wants to be mailed about, as a JSON array of kinds of notices, and since when, in ms since 1970. Null: nothing.
-- Expands.
ALTER TABLE workspace_user ADD COLUMN notices TEXT;
ALTER TABLE workspace_user ADD COLUMN notices_since INTEGER;

CREATE INDEX workspace_user_notices ON workspace_user (workspace_id) WHERE notices IS NOT NULL;
