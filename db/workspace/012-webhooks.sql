-- Webhooks: where events are sent, each event that is sent, and each attempt. Times are ms since 1970, if nothing else is said.
CREATE TABLE webhook_endpoint (
  -- Never used again: a delivery must not come to another endpoint.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  -- JSON: the types of events. null: all.
  types TEXT,
  status TEXT NOT NULL,
  -- Why and when the service has disabled it.
  disabled_reason TEXT,
  disabled_at INTEGER,
  -- They sign, so they can't be hashed.
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_expires_at INTEGER,
  -- The deliveries of the events up to this one are made.
  last_event_id INTEGER NOT NULL,
  -- Since when all attempts have failed, and when the last one did. null: the last one has succeeded.
  failing_since INTEGER,
  failed_at INTEGER,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL REFERENCES actor (id),
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX webhook_endpoint_created_by ON webhook_endpoint (created_by);

CREATE INDEX webhook_endpoint_updated_by ON webhook_endpoint (updated_by);

CREATE TABLE webhook_endpoint_block (
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (status, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  webhook_endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoint (id),
  -- The event is removed after its deliveries.
  event_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- How many attempts there were, and how many have failed since it was last asked for.
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  -- Of a pending one: when it is sent. While it is being sent: until when nobody else may send it.
  next_attempt_at INTEGER,
  -- Names the attempt that is under way.
  claim TEXT
) STRICT;

CREATE UNIQUE INDEX webhook_delivery_event ON webhook_delivery (event_id, webhook_endpoint_id);

CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (webhook_endpoint_id);

CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_endpoint_id, next_attempt_at) WHERE status = 'PENDING';

CREATE INDEX webhook_delivery_claimed ON webhook_delivery (webhook_endpoint_id, next_attempt_at) WHERE claim IS NOT NULL;

CREATE TABLE webhook_delivery_block (
  webhook_endpoint_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (webhook_endpoint_id, status, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_attempt (
  id INTEGER PRIMARY KEY,
  webhook_delivery_id INTEGER NOT NULL REFERENCES webhook_delivery (id),
  created_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  -- The receiver's HTTP status. null: there was none, and `error` says why.
  status INTEGER,
  error TEXT,
  -- The beginning of what the receiver has answered.
  answer TEXT
) STRICT;

CREATE INDEX webhook_attempt_delivery ON webhook_attempt (webhook_delivery_id);

-- Events that an endpoint is to get again, until their deliveries are due.
CREATE TABLE webhook_replay (
  id INTEGER PRIMARY KEY,
  webhook_endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoint (id),
  -- The first event that is left, and the one after the last.
  next_event_id INTEGER NOT NULL,
  end_event_id INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_replay_endpoint ON webhook_replay (webhook_endpoint_id);
