-- Keys and tokens have scopes: what they may do, with commas between them. NULL: everything.

ALTER TABLE api_key ADD COLUMN scopes TEXT;
ALTER TABLE access_token ADD COLUMN scopes TEXT;
