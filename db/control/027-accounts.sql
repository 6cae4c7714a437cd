-- One person may work in several workspaces with one account: the users with the same `account_uid` have one password and one tie to
-- single sign-on, which each row has. null: the account of this user alone, whose id is the user's.
-- Expands.
ALTER TABLE workspace_user ADD COLUMN account_uid TEXT;

-- When the user last entered the workspace, in ms since 1970.
ALTER TABLE workspace_user ADD COLUMN entered_at INTEGER;

CREATE INDEX workspace_user_account ON workspace_user (coalesce(account_uid, uid));

-- 1: the session was begun by single sign-on.
ALTER TABLE console_session ADD COLUMN by_provider INTEGER NOT NULL DEFAULT 0;
