-- People may sign in with an account at an OpenID provider. Once they have, the user is tied to that account, whatever its email.
-- Who has given out the account's id: `iss` of its ID tokens.
ALTER TABLE workspace_user ADD COLUMN oidc_issuer TEXT;
-- The account's id there: `sub`.
ALTER TABLE workspace_user ADD COLUMN oidc_subject TEXT;

CREATE UNIQUE INDEX workspace_user_oidc ON workspace_user (oidc_issuer, oidc_subject, workspace_id) WHERE oidc_subject IS NOT NULL;
