-- Two-factor sign-in: of an account the secret of its codes, the number of the last code that was used, and the hashes of its recovery
-- codes, as a JSON array. As with passwords, each user of the account has them. A workspace may require it.
-- Expands.
ALTER TABLE workspace_user ADD COLUMN totp_secret TEXT;
ALTER TABLE workspace_user ADD COLUMN totp_step INTEGER;
ALTER TABLE workspace_user ADD COLUMN recovery_codes TEXT;

ALTER TABLE workspace ADD COLUMN requires_two_factor INTEGER NOT NULL DEFAULT 0;
