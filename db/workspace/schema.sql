-- Generated from the migrations by `npm run schema`.

CREATE TABLE actor (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  uid TEXT NOT NULL,
  name TEXT NOT NULL,
  json TEXT NOT NULL AS (json_object('_type', type, 'id', uid, 'name', name)) STORED,
  UNIQUE (type, uid)
) STRICT;

CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (category, value)
) STRICT;

CREATE TABLE tag_set (
  id INTEGER PRIMARY KEY,
  json TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE screener (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  title TEXT,
  description TEXT,
  active_publication_id INTEGER REFERENCES screener_publication,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL
, acceptance TEXT NOT NULL DEFAULT 'OPEN' CHECK (acceptance IN ('OPEN', 'PAUSED', 'CLOSED')), opens_at TEXT, closes_at TEXT, last_answer_at TEXT, time_zone TEXT NOT NULL DEFAULT 'UTC', link_expires_at TEXT, quota_hold_minutes INTEGER NOT NULL DEFAULT 30, review TEXT NOT NULL DEFAULT 'NONE', signals TEXT, archived INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX screener_active_publication ON screener (active_publication_id) WHERE active_publication_id IS NOT NULL;

CREATE TABLE screener_block (block INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

CREATE TABLE screener_publication (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  screener_id INTEGER NOT NULL REFERENCES screener,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'ARCHIVED')),
  title TEXT,
  description TEXT,
  target_qualified_participants INTEGER,
  tag_set_id INTEGER NOT NULL REFERENCES tag_set,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL, erased_qualified INTEGER NOT NULL DEFAULT 0, shuffle_version INTEGER NOT NULL DEFAULT 1, languages TEXT NOT NULL DEFAULT '["en"]',
  UNIQUE (screener_id, version)
) STRICT;

CREATE UNIQUE INDEX screener_publication_active ON screener_publication (screener_id) WHERE status = 'ACTIVE';

CREATE INDEX screener_publication_tag_set ON screener_publication (tag_set_id);

CREATE TABLE participant_block (block INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

CREATE TABLE screener_participant (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  screener_id INTEGER NOT NULL REFERENCES screener,
  participant_id INTEGER NOT NULL REFERENCES participant,
  status TEXT NOT NULL DEFAULT 'NOT_STARTED',
  current_session_id INTEGER REFERENCES screener_session, changed_at TEXT,
  UNIQUE (participant_id, screener_id)
) STRICT;

CREATE INDEX screener_participant_session ON screener_participant (current_session_id)
  WHERE current_session_id IS NOT NULL;

CREATE TABLE screener_participant_block (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE screener_session (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  screener_id INTEGER NOT NULL REFERENCES screener,
  screener_participant_uid TEXT NOT NULL,
  participant_id INTEGER NOT NULL REFERENCES participant,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication,
  tag_set_id INTEGER NOT NULL REFERENCES tag_set,
  status TEXT NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'ARCHIVED', 'REMOVED')),
  state TEXT NOT NULL DEFAULT 'NOT_STARTED' CHECK (state IN ('NOT_STARTED', 'IN_PROGRESS', 'COMPLETED')),
  outcome TEXT CHECK (outcome IN ('QUALIFIED', 'DISQUALIFIED', 'UNKNOWN')),
  outcome_reason TEXT CHECK (outcome_reason IN ('SCREENED_OUT', 'OVER_QUOTA')),
  created_at TEXT NOT NULL,
  started_at TEXT,
  last_active_at TEXT,
  completed_at TEXT
, override TEXT, page_times TEXT, reference TEXT, is_test INTEGER NOT NULL DEFAULT 0, outcome_quota_ids TEXT, quota_ids TEXT, offered_until INTEGER, offer TEXT, arms TEXT, order_of TEXT, screener_link_id INTEGER REFERENCES screener_link ON DELETE SET NULL, claimed_email TEXT, language TEXT, refused_uid TEXT, withdrawn_at TEXT, withdrawn_consents TEXT, is_copy INTEGER NOT NULL DEFAULT 0, review_state TEXT, review TEXT, answers_erased_at TEXT, changed_at TEXT) STRICT;

CREATE INDEX screener_session_assignment ON screener_session (screener_participant_uid);

CREATE INDEX screener_session_participant ON screener_session (participant_id);

CREATE INDEX screener_session_tag_set ON screener_session (tag_set_id);

CREATE TABLE screener_session_block (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, state, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotent_reply (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  reply TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_reply_created ON idempotent_reply (created_at);

CREATE TABLE screener_content (
  screener_id INTEGER PRIMARY KEY REFERENCES screener,
  -- Grows with every change: what the ETag is made of.
  revision INTEGER NOT NULL,
  json TEXT NOT NULL
, incomplete TEXT) STRICT;

CREATE TABLE publication_content (
  screener_publication_id INTEGER PRIMARY KEY REFERENCES screener_publication,
  json TEXT NOT NULL
, draw_version INTEGER NOT NULL DEFAULT 1) STRICT;

CREATE TABLE publication_question (
  id INTEGER PRIMARY KEY,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication,
  place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 4095),
  uid TEXT NOT NULL,
  page_uid TEXT NOT NULL,
  -- What the author calls it in tables.
  key TEXT,
  type TEXT NOT NULL,
  prompt TEXT NOT NULL,
  UNIQUE (screener_publication_id, place)
) STRICT;

CREATE TABLE screener_response (
  id INTEGER PRIMARY KEY,
  screener_id INTEGER NOT NULL REFERENCES screener,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication,
  screener_session_id INTEGER NOT NULL REFERENCES screener_session,
  publication_question_id INTEGER NOT NULL REFERENCES publication_question,
  answer TEXT NOT NULL, normalized_answer TEXT,
  CHECK (id >> 12 = screener_session_id)
) STRICT;

CREATE INDEX screener_response_screener ON screener_response (screener_id);

CREATE INDEX screener_response_publication ON screener_response (screener_publication_id);

CREATE INDEX screener_response_session ON screener_response (screener_session_id);

CREATE INDEX screener_response_question ON screener_response (publication_question_id);

CREATE TABLE screener_response_block (
  screener_id INTEGER NOT NULL,
  screener_publication_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, screener_publication_id, block)
) STRICT, WITHOUT ROWID;

CREATE INDEX screener_session_publication ON screener_session (screener_publication_id, outcome, participant_id);

CREATE INDEX screener_session_screener ON screener_session (screener_id);

CREATE TABLE "job_outcome" (
  job_uid TEXT NOT NULL UNIQUE,
  summary TEXT,
  result TEXT,
  result_file TEXT,
  rows TEXT,
  warnings TEXT,
  problem TEXT,
  decided_at INTEGER NOT NULL
) STRICT;

CREATE INDEX job_outcome_decided ON job_outcome (decided_at);

CREATE TABLE effect (
  id INTEGER PRIMARY KEY,
  job_uid TEXT NOT NULL UNIQUE,
  screener_id INTEGER NOT NULL REFERENCES screener,
  -- The `updated_at` of the participants that it changed. No two effects have the same.
  stamp TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  -- The participants that an import created: rowids after the first number, up to the second.
  participants_after INTEGER NOT NULL,
  participants_to INTEGER NOT NULL,
  -- The job that undid it.
  undone_by TEXT
) STRICT;

CREATE INDEX effect_screener ON effect (screener_id);

CREATE INDEX effect_decided ON effect (decided_at);

CREATE TABLE effect_participant (
  effect_id INTEGER NOT NULL,
  participant_id INTEGER NOT NULL,
  -- ADDED, CHANGED, REMOVED
  kind TEXT NOT NULL,
  -- The former values: of a changed one those that changed, of a removed one all. By column.
  json TEXT,
  -- Who had changed it before.
  updated_by INTEGER,
  PRIMARY KEY (effect_id, participant_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_assignment (
  effect_id INTEGER NOT NULL,
  assignment_id INTEGER NOT NULL,
  -- ADDED, REMOVED
  kind TEXT NOT NULL,
  uid TEXT NOT NULL,
  participant_id INTEGER NOT NULL,
  -- Rowids come again when the last rows are removed.
  participant_uid TEXT NOT NULL,
  status TEXT NOT NULL,
  session_id INTEGER,
  PRIMARY KEY (effect_id, assignment_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_session (
  effect_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE participant_attribute (
  key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  workspace_uid TEXT NOT NULL
, log_uid TEXT) STRICT;

CREATE TABLE unassigned (
  participant_uid TEXT PRIMARY KEY,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  -- Never before that of the event before.
  created_at INTEGER NOT NULL,
  -- A row of `actor`. 0: the participant whose session is the event's resource.
  actor_id INTEGER NOT NULL,
  request_id TEXT,
  job_uid TEXT,
  resource_type TEXT NOT NULL,
  resource_uid TEXT NOT NULL,
  -- JSON: [{ field, from, to }]
  changes TEXT,
  -- JSON: what there is to say in numbers.
  summary TEXT,
  -- What the caller has said of it.
  note TEXT
) STRICT;

CREATE INDEX event_resource ON event (resource_uid);

CREATE INDEX event_job ON event (job_uid) WHERE job_uid IS NOT NULL;

CREATE INDEX event_facets ON event (type, actor_id);

CREATE INDEX event_text ON event (id)
WHERE note IS NOT NULL OR request_id NOT GLOB 'req_????????-????-????-????-????????????';

CREATE TABLE event_block (
  type TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (block, type, actor_id)
) STRICT, WITHOUT ROWID;

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
, ordered INTEGER NOT NULL DEFAULT 0) STRICT;

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

CREATE TABLE webhook_replay (
  id INTEGER PRIMARY KEY,
  webhook_endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoint (id),
  -- The first event that is left, and the one after the last.
  next_event_id INTEGER NOT NULL,
  end_event_id INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_replay_endpoint ON webhook_replay (webhook_endpoint_id);

CREATE TABLE "participant" (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  external_uid TEXT NOT NULL,
  email TEXT COLLATE NOCASE,
  name TEXT,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  attributes TEXT NOT NULL DEFAULT '{}'
, do_not_contact TEXT) STRICT;

CREATE UNIQUE INDEX participant_external_uid ON participant (external_uid);

CREATE UNIQUE INDEX participant_email ON participant (email);

CREATE TABLE participant_part (part INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

CREATE TRIGGER participant_block_added AFTER INSERT ON participant_block BEGIN
  INSERT INTO participant_part (part, n) VALUES (new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER participant_block_changed AFTER UPDATE OF n ON participant_block BEGIN
  INSERT INTO participant_part (part, n) VALUES (new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER participant_block_removed AFTER DELETE ON participant_block BEGIN
  UPDATE participant_part SET n = n - old.n WHERE part = old.block >> 8;
  DELETE FROM participant_part WHERE part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_participant_part (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER screener_participant_block_added AFTER INSERT ON screener_participant_block BEGIN
  INSERT INTO screener_participant_part (screener_id, status, part, n) VALUES (new.screener_id, new.status, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_participant_block_changed AFTER UPDATE OF n ON screener_participant_block BEGIN
  INSERT INTO screener_participant_part (screener_id, status, part, n) VALUES (new.screener_id, new.status, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_participant_block_removed AFTER DELETE ON screener_participant_block BEGIN
  UPDATE screener_participant_part SET n = n - old.n WHERE screener_id = old.screener_id AND status = old.status AND part = old.block >> 8;
  DELETE FROM screener_participant_part WHERE screener_id = old.screener_id AND status = old.status AND part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_session_part (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  state TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, state, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER screener_session_block_added AFTER INSERT ON screener_session_block BEGIN
  INSERT INTO screener_session_part (screener_id, status, state, part, n) VALUES (new.screener_id, new.status, new.state, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_session_block_changed AFTER UPDATE OF n ON screener_session_block BEGIN
  INSERT INTO screener_session_part (screener_id, status, state, part, n) VALUES (new.screener_id, new.status, new.state, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_session_block_removed AFTER DELETE ON screener_session_block BEGIN
  UPDATE screener_session_part SET n = n - old.n WHERE screener_id = old.screener_id AND status = old.status AND state = old.state AND part = old.block >> 8;
  DELETE FROM screener_session_part WHERE screener_id = old.screener_id AND status = old.status AND state = old.state AND part = old.block >> 8 AND n = 0;
END;

CREATE TABLE screener_response_part (
  screener_id INTEGER NOT NULL,
  screener_publication_id INTEGER NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, screener_publication_id, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER screener_response_block_added AFTER INSERT ON screener_response_block BEGIN
  INSERT INTO screener_response_part (screener_id, screener_publication_id, part, n) VALUES (new.screener_id, new.screener_publication_id, new.block >> 8, new.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_response_block_changed AFTER UPDATE OF n ON screener_response_block BEGIN
  INSERT INTO screener_response_part (screener_id, screener_publication_id, part, n) VALUES (new.screener_id, new.screener_publication_id, new.block >> 8, new.n - old.n) ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER screener_response_block_removed AFTER DELETE ON screener_response_block BEGIN
  UPDATE screener_response_part SET n = n - old.n WHERE screener_id = old.screener_id AND screener_publication_id = old.screener_publication_id AND part = old.block >> 8;
  DELETE FROM screener_response_part WHERE screener_id = old.screener_id AND screener_publication_id = old.screener_publication_id AND part = old.block >> 8 AND n = 0;
END;

CREATE INDEX participant_name ON participant (name COLLATE NOCASE);

CREATE TABLE appearance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  accent_color TEXT,
  privacy_url TEXT,
  contact_url TEXT,
  -- SHA-256 of its bytes, in hexadecimal, cut to 32 characters: its file name.
  logo_hash TEXT,
  logo_width INTEGER,
  logo_height INTEGER,
  logo_bytes BLOB
, frame_ancestors TEXT NOT NULL DEFAULT '[]') STRICT;

CREATE TABLE moved_event (
  pending_uid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE schema_oldest (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE reference_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL CHECK (length(key) = 16)
) STRICT;

CREATE INDEX screener_session_override ON screener_session (id) WHERE override IS NOT NULL;

CREATE TABLE import_columns (
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  actor_uid TEXT NOT NULL,
  import_mode TEXT NOT NULL,
  -- A JSON array of what they are: members of a participant, and attributes.
  columns TEXT NOT NULL,
  -- The import that had them. And those of the one before, for when it is undone.
  job_uid TEXT NOT NULL,
  former TEXT,
  PRIMARY KEY (screener_id, actor_uid, import_mode)
) STRICT, WITHOUT ROWID;

CREATE INDEX import_columns_job ON import_columns (job_uid);

CREATE INDEX webhook_delivery_order ON webhook_delivery (webhook_endpoint_id, event_id) WHERE status = 'PENDING';

CREATE TABLE effect_move (
  -- CASCADE: a release that does not know this table removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  -- Rowids of publications and of their lists of tags.
  from_publication INTEGER NOT NULL,
  from_tags INTEGER NOT NULL,
  to_publication INTEGER NOT NULL,
  to_tags INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX screener_session_test ON screener_session (screener_id) WHERE is_test = 1;

CREATE TABLE screener_quota (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- JSON: the condition that it was first published with. It never changes. null: everybody.
  rule TEXT,
  mode TEXT NOT NULL,
  -- null: none, because it only counts.
  max_places INTEGER,
  -- The highest limit that it ever had.
  peak_places INTEGER,
  paused INTEGER NOT NULL DEFAULT 0,
  -- Where it stands in the draft. null: it is gone from there.
  position INTEGER,
  -- How many places are taken and held, kept by triggers. Those of people who were erased are numbers alone.
  taken INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  erased_taken INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX screener_quota_screener ON screener_quota (screener_id, position);

CREATE TABLE quota_place (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  quota_id INTEGER NOT NULL REFERENCES screener_quota ON DELETE CASCADE,
  participant_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  -- HELD, TAKEN, RELEASED
  state TEXT NOT NULL,
  -- Why it was given back.
  reason TEXT,
  is_over_limit INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  -- In ms since 1970. null: it does not lapse.
  expires_at INTEGER
) STRICT;

CREATE UNIQUE INDEX quota_place_one ON quota_place (quota_id, participant_id) WHERE state IN ('HELD', 'TAKEN');

CREATE INDEX quota_place_state ON quota_place (quota_id, state);

CREATE INDEX quota_place_session ON quota_place (session_id);

CREATE INDEX quota_place_lapse ON quota_place (quota_id, expires_at) WHERE state = 'HELD';

CREATE TRIGGER quota_place_added AFTER INSERT ON quota_place BEGIN
  UPDATE screener_quota SET taken = taken + (new.state = 'TAKEN'), held = held + (new.state = 'HELD')
  WHERE id = new.quota_id;
END;

CREATE TRIGGER quota_place_changed AFTER UPDATE OF state ON quota_place WHEN old.state <> new.state BEGIN
  UPDATE screener_quota SET taken = taken + (new.state = 'TAKEN') - (old.state = 'TAKEN'),
    held = held + (new.state = 'HELD') - (old.state = 'HELD')
  WHERE id = new.quota_id;
END;

CREATE TRIGGER quota_place_removed AFTER DELETE ON quota_place WHEN old.state <> 'RELEASED' BEGIN
  UPDATE screener_quota SET taken = taken - (old.state = 'TAKEN'), held = held - (old.state = 'HELD')
  WHERE id = old.quota_id;
END;

CREATE TABLE effect_place (
  -- CASCADE: a release that does not know these tables removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  quota_id INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_offer (
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  -- The session that goes on: the one that was over quota, or a copy of it.
  session_id INTEGER NOT NULL,
  is_copy INTEGER NOT NULL,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX screener_session_offered ON screener_session (offered_until) WHERE offered_until IS NOT NULL;

CREATE TABLE screener_arm (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  assignment_uid TEXT NOT NULL,
  -- As in the newest publication that has it.
  assignment_name TEXT NOT NULL,
  name TEXT NOT NULL,
  -- How many rows session_arm has of it, kept by triggers.
  given INTEGER NOT NULL DEFAULT 0
, position INTEGER DEFAULT 0) STRICT;

CREATE INDEX screener_arm_screener ON screener_arm (screener_id);

CREATE TABLE session_arm (
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  arm_id INTEGER NOT NULL REFERENCES screener_arm ON DELETE CASCADE,
  -- Until when a session in progress counts, in ms since 1970. null: it is completed.
  expires_at INTEGER,
  PRIMARY KEY (session_id, arm_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_arm_arm ON session_arm (arm_id, expires_at);

CREATE TRIGGER session_arm_added AFTER INSERT ON session_arm BEGIN
  UPDATE screener_arm SET given = given + 1 WHERE id = new.arm_id;
END;

CREATE TRIGGER session_arm_removed AFTER DELETE ON session_arm BEGIN
  UPDATE screener_arm SET given = given - 1 WHERE id = old.arm_id;
END;

CREATE TABLE draw_seed (
  screener_id INTEGER PRIMARY KEY REFERENCES screener ON DELETE CASCADE,
  seed BLOB NOT NULL
) STRICT;

CREATE TABLE screener_translation (
  id INTEGER PRIMARY KEY,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- Increases with each change.
  revision INTEGER NOT NULL,
  -- JSON: by the ids of strings, the text and the hash of the text that it translates.
  json TEXT NOT NULL,
  UNIQUE (screener_id, language)
) STRICT;

CREATE TABLE publication_translation (
  id INTEGER PRIMARY KEY,
  screener_publication_id INTEGER NOT NULL REFERENCES screener_publication ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- JSON: `texts` by the ids of strings; `stale`: the ids of those that translate a former text.
  json TEXT NOT NULL,
  UNIQUE (screener_publication_id, language)
) STRICT;

CREATE TABLE screener_link (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  -- What stands at the end of its address.
  token TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'ACTIVE',
  -- JSON: what it asks beside the first page; and whether that must be said.
  ask TEXT NOT NULL,
  is_required INTEGER NOT NULL,
  -- How many may join. null: any number.
  max_joins INTEGER,
  opens_at TEXT,
  closes_at TEXT,
  -- JSON: attributes of those who join, and the query parameters that become attributes.
  attributes TEXT NOT NULL,
  accept TEXT NOT NULL,
  one_each TEXT NOT NULL,
  -- Whether an email that is typed is confirmed by a mail.
  confirms_email INTEGER NOT NULL DEFAULT 0,
  -- How many have joined, whatever has become of them; and how many sessions of theirs are started, and completed, now.
  joined INTEGER NOT NULL DEFAULT 0,
  started INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL REFERENCES actor (id),
  updated_at TEXT NOT NULL
, requires_signature INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX screener_link_screener ON screener_link (screener_id);

CREATE INDEX screener_link_created_by ON screener_link (created_by);

CREATE INDEX screener_link_updated_by ON screener_link (updated_by);

CREATE TABLE screener_link_block (
  screener_id INTEGER NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, block)
) STRICT, WITHOUT ROWID;

CREATE INDEX screener_session_link ON screener_session (screener_link_id, order_of) WHERE screener_link_id IS NOT NULL;

CREATE TABLE given_arm (
  arm_id INTEGER NOT NULL REFERENCES screener_arm ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (arm_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER screener_session_arms_changed AFTER UPDATE OF arms ON screener_session WHEN new.arms IS NOT old.arms BEGIN
  DELETE FROM given_arm WHERE session_id = old.id
    AND arm_id IN (SELECT a.id FROM json_each(old.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value);
  INSERT OR IGNORE INTO given_arm (arm_id, session_id)
    SELECT a.id, new.id FROM json_each(new.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value;
END;

CREATE TRIGGER screener_session_arms_removed AFTER DELETE ON screener_session WHEN old.arms IS NOT NULL BEGIN
  DELETE FROM given_arm WHERE session_id = old.id
    AND arm_id IN (SELECT a.id FROM json_each(old.arms) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value);
END;

CREATE TABLE attribute_types (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  json TEXT NOT NULL
) STRICT;

CREATE TABLE page_words (
  id INTEGER PRIMARY KEY,
  -- null: of all studies. CASCADE: a release that does not know this table may delete what it refers to.
  screener_id INTEGER REFERENCES screener ON DELETE CASCADE,
  language TEXT NOT NULL,
  -- JSON: texts by their keys.
  json TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX page_words_language ON page_words (coalesce(screener_id, 0), language);

CREATE INDEX page_words_screener ON page_words (screener_id);

CREATE INDEX screener_session_withdrawn ON screener_session (screener_id) WHERE withdrawn_at IS NOT NULL;

CREATE TRIGGER screener_session_link_state AFTER UPDATE OF state ON screener_session
WHEN new.screener_link_id IS NOT NULL AND new.is_copy = 0 AND new.state <> old.state BEGIN
  UPDATE screener_link SET started = started + (new.state <> 'NOT_STARTED') - (old.state <> 'NOT_STARTED'),
    completed = completed + (new.state = 'COMPLETED') - (old.state = 'COMPLETED') WHERE id = new.screener_link_id;
END;

CREATE TRIGGER screener_session_link_deleted AFTER DELETE ON screener_session WHEN old.screener_link_id IS NOT NULL AND old.is_copy = 0 BEGIN
  UPDATE screener_link SET started = started - (old.state <> 'NOT_STARTED'), completed = completed - (old.state = 'COMPLETED')
    WHERE id = old.screener_link_id;
END;

CREATE VIRTUAL TABLE participant_search USING fts5(
  words,
  content = '',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);

CREATE TABLE participant_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  indexed_until INTEGER NOT NULL,
  -- Counts what may have left words in pages of the index. 0: nothing.
  leftovers INTEGER NOT NULL
) STRICT;

CREATE TABLE participant_reindex (
  id INTEGER PRIMARY KEY,
  -- What the index has of the participant. Null: nothing.
  former_name TEXT,
  former_email TEXT,
  former_external_uid TEXT
) STRICT;

CREATE TRIGGER participant_search_changed AFTER UPDATE OF external_uid, email, name ON participant
WHEN old.id BETWEEN 1 AND (SELECT indexed_until FROM participant_search_state)
  AND (old.name IS NOT new.name OR old.email IS NOT new.email OR old.external_uid IS NOT new.external_uid)
BEGIN
  INSERT INTO participant_reindex (id, former_name, former_email, former_external_uid)
  VALUES (old.id, old.name, old.email, old.external_uid) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER participant_search_removed AFTER DELETE ON participant
WHEN old.id BETWEEN 1 AND (SELECT indexed_until FROM participant_search_state)
BEGIN
  INSERT INTO participant_reindex (id, former_name, former_email, former_external_uid)
  VALUES (old.id, old.name, old.email, old.external_uid) ON CONFLICT DO NOTHING;
END;

CREATE INDEX screener_session_started ON screener_session (screener_id, started_at)
  WHERE started_at IS NOT NULL AND is_test = 0 AND withdrawn_at IS NULL;

CREATE TABLE image (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- SHA-256 of its bytes, in hexadecimal, cut to 32 characters: what is sent again is the same image.
  hash TEXT NOT NULL UNIQUE,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  -- In ms since 1970: when it was sent last, or found in a draft.
  wanted_at INTEGER NOT NULL,
  -- A publication that shows it. SET NULL: another one may show it, too.
  screener_publication_id INTEGER REFERENCES screener_publication ON DELETE SET NULL
) STRICT;

CREATE INDEX image_publication ON image (screener_publication_id);

CREATE INDEX image_wanted ON image (wanted_at) WHERE screener_publication_id IS NULL;

CREATE INDEX screener_session_review_reason ON screener_session (id) WHERE review ->> '$.reason' IS NOT NULL;

CREATE INDEX screener_session_review ON screener_session (screener_id, review_state, completed_at) WHERE review_state IS NOT NULL;

CREATE TABLE participant_request (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may erase the participant.
  participant_id INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  -- At whose link it was asked for. null: that was deleted with its screener.
  screener_session_id INTEGER REFERENCES screener_session ON DELETE SET NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'OPEN',
  created_at TEXT NOT NULL,
  closed_by INTEGER REFERENCES actor (id),
  closed_at TEXT
) STRICT;

CREATE UNIQUE INDEX participant_request_open ON participant_request (participant_id, kind) WHERE state = 'OPEN';

CREATE INDEX participant_request_participant ON participant_request (participant_id, kind, id);

CREATE INDEX participant_request_session ON participant_request (screener_session_id) WHERE screener_session_id IS NOT NULL;

CREATE INDEX participant_request_closed_by ON participant_request (closed_by) WHERE closed_by IS NOT NULL;

CREATE TABLE participant_request_block (
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (kind, state, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER participant_request_deleted AFTER DELETE ON participant_request BEGIN
  UPDATE participant_request_block SET n = n - 1 WHERE kind = old.kind AND state = old.state AND block = old.id >> 10;
END;

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
, template TEXT, content_hash TEXT, address_hash TEXT, contacted_at INTEGER, to_hash BLOB, bounced_at INTEGER, bounce TEXT, user_uid TEXT, notice_id INTEGER) STRICT;

CREATE INDEX message_sending ON message (sender) WHERE sender IS NOT NULL;

CREATE INDEX message_address ON message (address COLLATE NOCASE, created_at) WHERE address IS NOT NULL;

CREATE INDEX message_session ON message (screener_session_id) WHERE screener_session_id IS NOT NULL;

CREATE INDEX message_join ON message (unconfirmed_join_id) WHERE unconfirmed_join_id IS NOT NULL;

CREATE TABLE signing_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL,
  previous_secret TEXT,
  previous_expires_at INTEGER
) STRICT;

CREATE VIRTUAL TABLE answer_search USING fts5(
  words,
  content = '',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);

CREATE TABLE answer_searched (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE answer_former (
  id INTEGER PRIMARY KEY,
  answer TEXT NOT NULL
) STRICT;

CREATE TABLE answer_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  leftovers INTEGER NOT NULL
) STRICT;

CREATE TRIGGER answer_search_changed AFTER UPDATE OF answer ON screener_response WHEN old.answer IS NOT new.answer BEGIN
  INSERT INTO answer_former (id, answer) SELECT id, old.answer FROM answer_searched WHERE id = old.id AND true ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER answer_search_removed AFTER DELETE ON screener_response BEGIN
  INSERT INTO answer_former (id, answer) SELECT id, old.answer FROM answer_searched WHERE id = old.id AND true ON CONFLICT DO NOTHING;
END;

CREATE TABLE mailing (
  id INTEGER PRIMARY KEY,
  -- The id of the job that has written its messages.
  uid TEXT NOT NULL UNIQUE,
  -- CASCADE: a release that does not know this table may delete the screener.
  screener_id INTEGER NOT NULL REFERENCES screener ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Of a paused one: by whom, or why.
  paused_because TEXT,
  -- JSON: subject and body in each language, of the first message and of each reminder.
  texts TEXT NOT NULL,
  -- JSON: to whom, as it was asked for.
  recipients TEXT NOT NULL,
  -- Times in ms since 1970. Null: as soon as it was planned.
  at INTEGER,
  -- JSON: the days and hours at which it is sent. Null: at any time.
  hours TEXT,
  per_minute INTEGER,
  -- What may leave now of what may leave in a minute, and when that was counted.
  pace_left REAL,
  paced_at INTEGER,
  resends_uncertain INTEGER NOT NULL,
  -- When it may send the next message. Null: never, as it is now.
  next_at INTEGER,
  -- When its first message was SENDING.
  begun_at INTEGER,
  ended_at INTEGER,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL,
  updated_by INTEGER NOT NULL REFERENCES actor (id),
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX mailing_screener ON mailing (screener_id);

CREATE INDEX mailing_created_by ON mailing (created_by);

CREATE INDEX mailing_updated_by ON mailing (updated_by);

CREATE INDEX mailing_next ON mailing (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE mailing_block (
  screener_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (screener_id, status, block)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_address_hash ON message (mailing_id, address_hash) WHERE address_hash IS NOT NULL;

CREATE INDEX message_due ON message (due_at) WHERE due_at IS NOT NULL AND mailing_id IS NULL;

CREATE INDEX message_due_of_mailing ON message (mailing_id, due_at) WHERE due_at IS NOT NULL AND mailing_id IS NOT NULL;

CREATE INDEX message_ended ON message (ended_at) WHERE ended_at IS NOT NULL AND mailing_id IS NULL;

CREATE TABLE message_block (
  mailing_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, state, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER message_changed AFTER UPDATE OF state ON message WHEN new.mailing_id IS NOT NULL AND new.state <> old.state BEGIN
  UPDATE message_block SET n = n - 1 WHERE mailing_id = old.mailing_id AND state = old.state AND block = old.id >> 10;
  INSERT INTO message_block (mailing_id, state, block, n) VALUES (new.mailing_id, new.state, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER message_removed AFTER DELETE ON message WHEN old.mailing_id IS NOT NULL BEGIN
  UPDATE message_block SET n = n - 1 WHERE mailing_id = old.mailing_id AND state = old.state AND block = old.id >> 10;
END;

CREATE TRIGGER mailing_added AFTER INSERT ON mailing BEGIN
  INSERT INTO mailing_block (screener_id, status, block, n) VALUES (new.screener_id, new.status, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER mailing_changed AFTER UPDATE OF status ON mailing WHEN new.status <> old.status BEGIN
  UPDATE mailing_block SET n = n - 1 WHERE screener_id = old.screener_id AND status = old.status AND block = old.id >> 10;
  INSERT INTO mailing_block (screener_id, status, block, n) VALUES (new.screener_id, new.status, new.id >> 10, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TABLE effect_review (
  -- CASCADE: a release that does not know this table removes what is kept to undo jobs.
  effect_id INTEGER NOT NULL REFERENCES effect ON DELETE CASCADE,
  session_id INTEGER NOT NULL,
  -- As the columns `review_state` and `review` of the session.
  review_state TEXT NOT NULL,
  review TEXT,
  PRIMARY KEY (effect_id, session_id)
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER mail_suppression_nobody AFTER DELETE ON participant WHEN old.email IS NOT NULL BEGIN
  UPDATE mail_suppression SET address = NULL WHERE address = old.email;
END;

CREATE TABLE contact_cap (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  messages INTEGER NOT NULL,
  days INTEGER NOT NULL
) STRICT;

CREATE INDEX message_contacted ON message (participant_id, contacted_at) WHERE contacted_at IS NOT NULL;

CREATE TABLE participant_note (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  participant_id INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  note TEXT NOT NULL,
  created_by INTEGER NOT NULL REFERENCES actor (id),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX participant_note_participant ON participant_note (participant_id);

CREATE INDEX participant_note_created_by ON participant_note (created_by);

CREATE TABLE participant_note_block (block INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

CREATE TRIGGER participant_note_without_participant AFTER DELETE ON participant BEGIN
  DELETE FROM participant_note WHERE participant_id = old.id;
END;

CREATE TRIGGER participant_note_deleted AFTER DELETE ON participant_note BEGIN
  UPDATE participant_note_block SET n = n - 1 WHERE block = old.id >> 10;
END;

CREATE TABLE signal (
  id INTEGER PRIMARY KEY,
  -- CASCADE, here and below: a release that does not know these tables may delete what they refer to.
  session_id INTEGER NOT NULL REFERENCES screener_session ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- JSON: numbers, and ids of pages and questions.
  evidence TEXT NOT NULL,
  -- Of those that are about several sessions: another one. Without it, the signal says nothing.
  other_session_id INTEGER REFERENCES screener_session ON DELETE CASCADE,
  -- In ms since 1970.
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, kind)
) STRICT;

CREATE INDEX signal_other ON signal (other_session_id) WHERE other_session_id IS NOT NULL;

CREATE INDEX signal_created ON signal (created_at);

CREATE TABLE signal_mark (
  -- 64 times that of the session, and a number: the marks of a session stand together.
  id INTEGER PRIMARY KEY,
  -- 52 bits.
  hash INTEGER NOT NULL,
  -- When it was made, in days since 1970.
  day INTEGER NOT NULL
) STRICT;

CREATE INDEX signal_mark_hash ON signal_mark (hash);

CREATE TRIGGER signal_mark_forgotten AFTER DELETE ON screener_session BEGIN
  DELETE FROM signal_mark WHERE id >= old.id * 64 AND id < (old.id + 1) * 64;
END;

CREATE TABLE page_times (
  screener_publication_id INTEGER PRIMARY KEY REFERENCES screener_publication ON DELETE CASCADE,
  -- For each page, by its index, 64 numbers of 32 bits: how many sessions had it open that long.
  counts BLOB NOT NULL
) STRICT;

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

CREATE INDEX message_user ON message (user_uid, created_at) WHERE user_uid IS NOT NULL;

CREATE UNIQUE INDEX message_of_mailing ON message (participant_id, mailing_id, step) WHERE participant_id IS NOT NULL;

CREATE TRIGGER mailing_removed AFTER DELETE ON mailing BEGIN
  UPDATE mailing_block SET n = n - 1 WHERE screener_id = old.screener_id AND status = old.status AND block = old.id >> 10;
  DELETE FROM message WHERE ended_at IS NULL AND id IN (SELECT m.id FROM (SELECT DISTINCT block FROM message_block WHERE mailing_id = old.id) AS b
    CROSS JOIN message AS m ON m.id >= b.block << 10 AND m.id < (b.block + 1) << 10 WHERE m.mailing_id = old.id);
  UPDATE message SET mailing_id = NULL, step = NULL WHERE id IN (SELECT m.id FROM (SELECT DISTINCT block FROM message_block WHERE mailing_id = old.id) AS b
    CROSS JOIN message AS m ON m.id >= b.block << 10 AND m.id < (b.block + 1) << 10 WHERE m.mailing_id = old.id);
  DELETE FROM message_block WHERE mailing_id = old.id;
END;

CREATE INDEX participant_other_letters
ON participant (iif(octet_length(name) <> length(name) OR octet_length(email) <> length(email) OR octet_length(external_uid) <> length(external_uid), 1, NULL))
WHERE iif(octet_length(name) <> length(name) OR octet_length(email) <> length(email) OR octet_length(external_uid) <> length(external_uid), 1, NULL) IS NOT NULL;

CREATE INDEX screener_participant_screener ON screener_participant (screener_id, id, participant_id);

CREATE INDEX screener_session_updated ON screener_session (
  max(created_at, coalesce(last_active_at, ''), coalesce(completed_at, ''), coalesce(withdrawn_at, ''), coalesce(answers_erased_at, ''), coalesce(changed_at, ''))
);

CREATE INDEX screener_participant_changed ON screener_participant (changed_at) WHERE changed_at IS NOT NULL;
