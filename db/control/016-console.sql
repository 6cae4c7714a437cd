-- People sign in to the console: users may have an email, a role and a password, and sessions in browsers.
-- In small letters.
ALTER TABLE workspace_user ADD COLUMN email TEXT;
-- What the user may do in the console; null: the user has tokens alone.
ALTER TABLE workspace_user ADD COLUMN role TEXT CHECK (role IN ('viewer', 'researcher', 'admin'));
-- Its hash, with what it was made with: $argon2id$v=19$m=…,t=…,p=…$salt$hash
ALTER TABLE workspace_user ADD COLUMN password TEXT;

CREATE UNIQUE INDEX workspace_user_email ON workspace_user (email, workspace_id) WHERE email IS NOT NULL;

-- Links that work once. Whoever opens one chooses a password.
CREATE TABLE sign_in_link (
  hash BLOB PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspace,
  -- null: it makes the account of the workspace's owner.
  workspace_user_id INTEGER REFERENCES workspace_user,
  -- Milliseconds since 1970.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_link_workspace ON sign_in_link (workspace_id);
CREATE INDEX sign_in_link_user ON sign_in_link (workspace_user_id) WHERE workspace_user_id IS NOT NULL;

CREATE TABLE console_session (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- Of what the cookie has.
  hash BLOB NOT NULL UNIQUE,
  workspace_user_id INTEGER NOT NULL REFERENCES workspace_user,
  -- What the browser calls itself, so that people tell their sessions apart.
  browser TEXT NOT NULL,
  -- Milliseconds since 1970.
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;

CREATE INDEX console_session_user ON console_session (workspace_user_id);
