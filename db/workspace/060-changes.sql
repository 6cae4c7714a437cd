-- Sessions and assignments are listed by when they last changed. A session's times say that where it was answered; this column says what they do not.
-- Expands.
-- null: it has not changed, but for what other columns say.
ALTER TABLE screener_session ADD COLUMN changed_at TEXT;
ALTER TABLE screener_participant ADD COLUMN changed_at TEXT;
