-- Who must not be written to: people whom staff have marked, who have unsubscribed, or whose address takes no mail; and who had enough of it lately.
-- Expands.

-- JSON: the `reason`, by whom (`by`) and when (`at`). null: they may be written to.
ALTER TABLE participant ADD COLUMN do_not_contact TEXT;

-- An erasure looks for the person in the reasons.
CREATE INDEX participant_do_not_contact ON participant (id) WHERE do_not_contact IS NOT NULL;

CREATE TABLE unsubscription (
  id INTEGER PRIMARY KEY,
  -- CASCADE: a release that does not know this table may erase the participant, and delete the screener.
  participant_id INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  -- null: from everything.
  screener_id INTEGER REFERENCES screener ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX unsubscription_one ON unsubscription (participant_id, coalesce(screener_id, 0));

CREATE INDEX unsubscription_screener ON unsubscription (screener_id) WHERE screener_id IS NOT NULL;

CREATE TABLE mail_suppression (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- HMAC-SHA256 of the address, with the key of the workspace. It outlives whoever has the address.
  hash BLOB NOT NULL UNIQUE,
  -- A number that few addresses share: all others need no hash to be compared.
  mark INTEGER NOT NULL,
  -- null: it is nobody's any more, or was typed for one message.
  address TEXT COLLATE NOCASE,
  reason TEXT NOT NULL,
  -- What the receiver has said. null: nothing, or nobody has asked.
  detail TEXT,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX mail_suppression_mark ON mail_suppression (mark);

CREATE INDEX mail_suppression_address ON mail_suppression (address) WHERE address IS NOT NULL;

CREATE INDEX mail_suppression_created_by ON mail_suppression (created_by);

CREATE TABLE mail_suppression_block (
  reason TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (reason, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER mail_suppression_deleted AFTER DELETE ON mail_suppression BEGIN
  UPDATE mail_suppression_block SET n = n - 1 WHERE reason = old.reason AND block = old.id >> 10;
END;

-- Here and not in the code: the address goes with whoever has it, also where a release does not know this table.
CREATE TRIGGER mail_suppression_nobody AFTER DELETE ON participant WHEN old.email IS NOT NULL BEGIN
  UPDATE mail_suppression SET address = NULL WHERE address = old.email;
END;

-- How many messages somebody gets within some days. No row: as many as there are.
CREATE TABLE contact_cap (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  messages INTEGER NOT NULL,
  days INTEGER NOT NULL
) STRICT;

-- When the participant was written to, in ms since 1970. null: not yet, or by a message that does not count.
ALTER TABLE message ADD COLUMN contacted_at INTEGER;

CREATE INDEX message_contacted ON message (participant_id, contacted_at) WHERE contacted_at IS NOT NULL;

-- The hash of the address that it went to.
ALTER TABLE message ADD COLUMN to_hash BLOB;

-- When it came back, in ms since 1970, and what the receiver has said.
ALTER TABLE message ADD COLUMN bounced_at INTEGER;

ALTER TABLE message ADD COLUMN bounce TEXT;
