-- Messages that leave by mail, and those who join when their email is confirmed. What a message says is not stored: it is made when it is sent.
-- Expands.
CREATE TABLE unconfirmed_join (
  id INTEGER PRIMARY KEY,
  -- Stands in the link of the message.
  token TEXT NOT NULL UNIQUE,
  screener_link_id INTEGER NOT NULL REFERENCES screener_link ON DELETE CASCADE,
  -- What the order by chance came from that the first page had: a form that is sent twice has the same one.
  seed TEXT NOT NULL,
  -- What was typed. Null: it was confirmed, and is elsewhere.
  email TEXT,
  name TEXT,
  attributes TEXT,
  -- JSON: the fields of the first page.
  form TEXT,
  language TEXT NOT NULL,
  -- In ms since 1970.
  created_at INTEGER NOT NULL,
  -- Of who has confirmed it.
  screener_session_id INTEGER REFERENCES screener_session ON DELETE CASCADE
) STRICT;

CREATE INDEX unconfirmed_join_link ON unconfirmed_join (screener_link_id, seed);

CREATE INDEX unconfirmed_join_session ON unconfirmed_join (screener_session_id) WHERE screener_session_id IS NOT NULL;

CREATE INDEX unconfirmed_join_waiting ON unconfirmed_join (created_at) WHERE screener_session_id IS NULL;

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- What it is about. CASCADE: a release that does not know this table may delete that.
  mailing_id INTEGER,
  step INTEGER,
  participant_id INTEGER REFERENCES participant ON DELETE CASCADE,
  screener_session_id INTEGER REFERENCES screener_session ON DELETE CASCADE,
  unconfirmed_join_id INTEGER REFERENCES unconfirmed_join ON DELETE CASCADE,
  -- Where somebody has typed it for this message. Null: it is the participant's email, or has been removed.
  address TEXT,
  -- Of the words around it.
  language TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'READY',
  -- All times in ms since 1970. Null: it is not waiting.
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- The lock file of the process that sends it.
  sender TEXT,
  -- What the relay has said, or why it was not sent.
  reply TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX message_of_mailing ON message (mailing_id, participant_id, step) WHERE mailing_id IS NOT NULL;

CREATE INDEX message_due ON message (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX message_sending ON message (sender) WHERE sender IS NOT NULL;

CREATE INDEX message_ended ON message (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX message_address ON message (address COLLATE NOCASE, created_at) WHERE address IS NOT NULL;

CREATE INDEX message_participant ON message (participant_id) WHERE participant_id IS NOT NULL;

CREATE INDEX message_session ON message (screener_session_id) WHERE screener_session_id IS NOT NULL;

CREATE INDEX message_join ON message (unconfirmed_join_id) WHERE unconfirmed_join_id IS NOT NULL;
