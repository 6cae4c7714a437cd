-- Users may have a mail when a study is full, an import waits for approval, or a webhook fails. There is one notice of each thing, until
-- something else is true of it. A message may be to a user, whose email is in the control store.
-- Expands.
CREATE TABLE notice (
  -- Never used again: messages name it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  -- The study, or the webhook endpoint.
  subject_uid TEXT NOT NULL,
  -- What is true of it: while that stays so, nothing is said again.
  state TEXT NOT NULL,
  -- Of an import.
  job_uid TEXT,
  -- In ms since 1970.
  created_at INTEGER NOT NULL,
  -- 1: no messages have been written yet.
  is_new INTEGER NOT NULL DEFAULT 1,
  UNIQUE (kind, subject_uid)
) STRICT;

CREATE INDEX notice_new ON notice (id) WHERE is_new = 1;

ALTER TABLE message ADD COLUMN user_uid TEXT;
ALTER TABLE message ADD COLUMN notice_id INTEGER;

CREATE INDEX message_user ON message (user_uid, created_at) WHERE user_uid IS NOT NULL;
