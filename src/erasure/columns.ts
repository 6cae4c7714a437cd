// Every text column of the stores: what people's words are in it, and how a person is removed from them; or why nobody is in it.
// test/erasure-columns.test.ts compares it with the schemas: a new column needs its line here.

import type { Mentions } from "./mentions.ts";
import type { Rule } from "./names.ts";
import { type Column, type Columns, GONE, type Words } from "./search.ts";
import { causeWithout, headingsWithout, replyWithout } from "./without.ts";

/** A text that goes as a whole. */
const forgotten = (rule: Rule) => (mentions: Mentions, text: string) => (mentions.isIn(text, rule) ? null : text);
/** A text that stays, without the person. */
const blanked = (rule: Rule) => (mentions: Mentions, text: string) => mentions.without(text, rule);
const blankedJson = (rule: Rule) => (mentions: Mentions, json: string) => mentions.withoutTexts(json, rule);

const NOTE: Words = { words: forgotten("SAID") };
const KEY: Words = { words: forgotten("KEY") };
const SHOWN: Words = { words: blanked("SHOWN") };
const SHOWN_JSON: Words = { words: blankedJson("SHOWN") };
const ROWS: Words = { words: (mentions, json) => mentions.withoutRows(json) };
/** Why a person has decided something, as a member of its JSON. */
const REASON: Words = { words: (mentions, json) => mentions.withoutReason(json) };
const ITEMS: Words = { words: (mentions, json) => mentions.withoutItems(json) };
const PROBLEM: Words = { words: (mentions, json) => blankedJson("KEY")(mentions, mentions.withoutErrors(json)) };
const WARNINGS: Words = { words: blankedJson("KEY") };

export const WORD: Column = { not: "one of our own words, a time or a number" };
export const ID: Column = { not: "an id that the service made" };
const HASH: Column = { not: "a hash of a request: it leads to nobody" };
const ADDRESS_HASH: Column = { not: "a keyed hash of an address of mail: it leads to nobody" };
const SECRET: Column = { not: "a secret of a credential" };
export const STAFF: Column = {
  not: "who works with the service: keys, users, operators. Their names are in the log as its authors",
};
const OWN: Column = { not: "the participant's own row, which is deleted; that of another one is that one's" };
const SYSTEM: Column = { not: "the service says it of its files, cells or connections" };
export const ADDRESS: Column = { not: "an address that must go on working; who set it can change it" };

export function each(table: string, columns: readonly string[], how: Column): Columns {
  return Object.fromEntries(columns.map((column) => [`${table}.${column}`, how]));
}

const WITH_JOBS: Column = { by: "forgetInJobs" };

/** What callers and jobs have said of a job. */
export const jobColumns: Columns = {
  ...each("job", ["idempotency_key", "apply_key", "request_id", "trace_id"], KEY),
  "job.note": NOTE,
  "job.cause": { words: causeWithout },
  "job.problem": PROBLEM,
  "job.result": ITEMS,
  "job.rows": ROWS,
  "job.warnings": WARNINGS,
  // A job that waits runs as it was sent: what it brings in is its caller's wish.
  "job.payload": { ...SHOWN_JSON, where: "finished_at IS NOT NULL AND status <> 'PLANNED'" },
};

export const controlColumns: Columns = {
  ...jobColumns,
  ...each("job", ["uid", "actor_uid", "screener_uid", "publication_uid", "runner", "result_file"], ID),
  ...each(
    "job",
    ["kind", "status", "actor_type", "progress_phase", "summary", "plan", "import_mode", "blocked_code"],
    WORD,
  ),
  ...each("job", ["fingerprint", "apply_fingerprint"], HASH),
  "job.actor_name": STAFF,
  "job_body.bytes": { by: "dropBodies; the body of a job that waits is its caller's wish" },
  "job_body.job_uid": ID,
  "pending_event.json": WITH_JOBS,
  "pending_event.workspace_uid": ID,
  ...each("installation", ["uid", "cell", "former_cells"], ID),
  ...each("workspace", ["uid", "former_cells"], ID),
  ...each("workspace", ["max_removals", "moving"], WORD),
  "workspace.name": STAFF,
  ...each("api_key", ["uid", "scopes"], ID),
  ...each("api_key", ["api_key"], SECRET),
  "api_key.name": STAFF,
  "api_key_secret.secret_hash": SECRET,
  ...each("workspace_user", ["uid", "oidc_issuer", "oidc_subject"], ID),
  ...each("workspace_user", ["name", "email"], STAFF),
  "workspace_user.role": WORD,
  "workspace_user.password": SECRET,
  ...each("access_token", ["uid", "scopes"], ID),
  "access_token.token_hash": SECRET,
  "sign_in_link.hash": SECRET,
  ...each("console_session", ["uid"], ID),
  "console_session.hash": SECRET,
  "console_session.browser": STAFF,
  ...each("screener_key", ["workspace_uid", "screener_uid"], ID),
  "screener_key.key": SECRET,
  ...each("store_migration", ["workspace_uid"], SYSTEM),
  ...each("store_finding", ["workspace_uid", "source", "message"], SYSTEM),
  "store_check.workspace_uid": ID,
  ...each("workspace_move", ["uid", "workspace_uid", "cell", "url", "token", "status", "mover"], SYSTEM),
  ...each("moved_workspace", ["workspace_uid", "cell", "url"], SYSTEM),
  ...each("moved_credential", ["hash", "workspace_uid"], SECRET),
  ...each("arrival", ["move_uid", "workspace_uid", "token"], SYSTEM),
};

/** The columns of a workspace's store. */
export const workspaceColumns: Columns = {
  "event.note": {
    ...NOTE,
    where: "note IS NOT NULL OR request_id NOT GLOB 'req_????????-????-????-????-????????????'",
  },
  "event.request_id": {
    ...KEY,
    // As the index `event_text` has it.
    where: "note IS NOT NULL OR request_id NOT GLOB 'req_????????-????-????-????-????????????'",
  },
  "event.changes": {
    words: (mentions, json, { resource_type }) => mentions.withoutChanges(json, resource_type === "Participant"),
    more: ["resource_type"],
    isLog: true,
  },
  ...each("event", ["uid", "job_uid", "resource_uid"], ID),
  ...each("event", ["type", "resource_type", "summary"], WORD),
  "event_block.type": WORD,
  "screener_session.override": REASON,
  // As its index has it.
  "screener_session.review": { ...REASON, where: "review ->> '$.reason' IS NOT NULL" },
  ...each(
    "screener_session",
    ["uid", "slug", "reference", "screener_participant_uid", "page_times", "outcome_quota_ids"],
    OWN,
  ),
  ...each(
    "screener_session",
    ["quota_ids", "refused_uid", "withdrawn_consents", "offer", "arms", "order_of", "claimed_email"],
    OWN,
  ),
  ...each("screener_session", ["status", "state", "outcome", "outcome_reason", "language", "review_state"], WORD),
  ...each(
    "screener_session",
    ["created_at", "started_at", "last_active_at", "completed_at", "withdrawn_at", "answers_erased_at"],
    WORD,
  ),
  ...each("screener_session_block", ["status", "state"], WORD),
  ...each("screener_session_part", ["status", "state"], WORD),
  ...each("tag", ["category", "value"], SHOWN),
  "tag.uid": ID,
  "tag_set.json": SHOWN_JSON,
  ...each("screener", ["title", "description"], SHOWN),
  "screener.uid": ID,
  ...each("screener", ["created_at", "updated_at", "acceptance", "opens_at", "closes_at", "last_answer_at"], WORD),
  ...each("screener", ["time_zone", "link_expires_at", "review", "signals"], WORD),
  "signal.kind": WORD,
  "signal.evidence": {
    not: "numbers and ids of the study; a signal is deleted with each of the sessions that it is about",
  },
  "page_times.counts": { not: "counts over all who have completed a version" },
  ...each("screener_publication", ["title", "description"], SHOWN),
  "screener_publication.uid": ID,
  ...each("screener_publication", ["status", "created_at", "updated_at", "languages"], WORD),
  "screener_content.json": { ...SHOWN_JSON, also: "revision = revision + 1" },
  "publication_content.json": { ...SHOWN_JSON, isLog: true },
  "screener_translation.json": { ...SHOWN_JSON, also: "revision = revision + 1" },
  "publication_translation.json": { ...SHOWN_JSON, isLog: true },
  ...each("screener_translation", ["language"], WORD),
  ...each("publication_translation", ["language"], WORD),
  ...each("publication_question", ["key", "prompt"], { ...SHOWN, isLog: true }),
  ...each("publication_question", ["uid", "page_uid"], ID),
  "publication_question.type": WORD,
  "screener_quota.name": SHOWN,
  "screener_quota.rule": SHOWN_JSON,
  "screener_quota.uid": ID,
  ...each("screener_quota", ["mode", "created_at", "updated_at"], WORD),
  "screener_link.name": SHOWN,
  ...each("screener_link", ["attributes", "accept"], SHOWN_JSON),
  ...each("screener_link", ["uid", "token"], ID),
  ...each("screener_link", ["status", "ask", "one_each", "opens_at", "closes_at", "created_at", "updated_at"], WORD),
  ...each("unconfirmed_join", ["email", "name", "attributes", "form"], { by: "forgetMail; it expires after days" }),
  ...each("unconfirmed_join", ["token", "seed"], ID),
  "unconfirmed_join.language": WORD,
  "message.address": { by: "forgetMail; a day after it was sent" },
  "message.bounce": { not: "what a receiver says, without the address" },
  "message.reply": { not: "what a relay says, without the address" },
  ...each("message", ["uid", "sender"], ID),
  ...each("message", ["kind", "language", "state"], WORD),
  ...each("message", ["template", "content_hash", "address_hash"], { not: "a hash; it goes with the participant" }),
  "message_block.state": WORD,
  "mailing.name": SHOWN,
  ...each("mailing", ["texts", "recipients"], SHOWN_JSON),
  ...each("mailing", ["uid"], ID),
  ...each("mailing", ["kind", "status", "paused_because", "hours", "created_at", "updated_at"], WORD),
  "mailing_block.status": WORD,
  ...each("screener_arm", ["name", "assignment_name"], SHOWN),
  "draw_seed.seed": SECRET,
  "page_words.json": SHOWN_JSON,
  "page_words.language": WORD,
  ...each("screener_arm", ["uid", "assignment_uid"], ID),
  ...each("quota_place", ["uid", "state", "reason", "created_at"], WORD),
  "screener_response.normalized_answer": { not: "the same as the answer, and deleted with it" },
  "screener_response.answer": { not: "the words of the participant who gave it, and deleted with that one" },
  "idempotent_reply.key": {
    words: (mentions, key) => (mentions.isIn(key, "KEY") ? GONE : key),
    key: "key",
  },
  "idempotent_reply.reply": { words: replyWithout, key: "key" },
  "idempotent_reply.fingerprint": HASH,
  "job_outcome.problem": PROBLEM,
  "job_outcome.result": ITEMS,
  "job_outcome.rows": ROWS,
  "job_outcome.warnings": WARNINGS,
  ...each("job_outcome", ["job_uid", "result_file"], ID),
  "job_outcome.summary": WORD,
  "webhook_attempt.answer": { ...NOTE, isLog: true },
  "webhook_attempt.error": SYSTEM,
  "webhook_endpoint.url": ADDRESS,
  ...each("webhook_endpoint", ["secret", "previous_secret"], SECRET),
  "webhook_endpoint.uid": ID,
  ...each("webhook_endpoint", ["types", "status", "disabled_reason", "created_at", "updated_at"], WORD),
  "webhook_endpoint_block.status": WORD,
  ...each("webhook_delivery", ["uid", "claim"], ID),
  "webhook_delivery.status": WORD,
  "webhook_delivery_block.status": WORD,
  ...each("participant", ["uid", "external_uid", "email", "name", "attributes"], OWN),
  ...each("participant", ["created_at", "updated_at"], WORD),
  // As its index has it.
  "participant.do_not_contact": { ...REASON, where: "do_not_contact IS NOT NULL" },
  "unsubscription.created_at": WORD,
  "mail_suppression.address": { by: "forgetMail; a trigger, when the participant goes" },
  "mail_suppression.detail": { not: "what a receiver says, without the address" },
  "mail_suppression.uid": ID,
  ...each("mail_suppression", ["reason", "created_at"], WORD),
  ...each("mail_suppression", ["hash"], ADDRESS_HASH),
  ...each("message", ["to_hash"], ADDRESS_HASH),
  "mail_suppression_block.reason": WORD,
  ...each("participant_reindex", ["former_name", "former_email", "former_external_uid"], {
    not: "what the search has of a participant until it catches up, which it does before an erasure ends",
  }),
  "answer_former.answer": {
    not: "an answer that the search has until it catches up, which it does before an erasure ends",
  },
  "participant_attribute.key": { not: "a key that other participants have, too" },
  ...each("screener_participant", ["uid", "status"], OWN),
  "screener_participant_block.status": WORD,
  "screener_participant_part.status": WORD,
  "participant_note.note": SHOWN,
  "participant_note.uid": ID,
  "participant_note.created_at": WORD,
  ...each("participant_request", ["uid", "kind", "state", "created_at", "closed_at"], OWN),
  ...each("participant_request_block", ["kind", "state"], WORD),
  ...each("unassigned", ["participant_uid"], OWN),
  // A file without a line of headings has a person in its first line.
  ...each("import_columns", ["columns", "former"], {
    words: headingsWithout,
    key: "json_array(screener_id, actor_uid, import_mode)",
  }),
  ...each("import_columns", ["actor_uid", "import_mode", "job_uid"], ID),
  ...each("effect", ["job_uid", "stamp", "undone_by"], ID),
  ...each("effect_participant", ["kind", "json"], { by: "forgetInEffects" }),
  ...each("effect_assignment", ["kind", "uid", "participant_uid", "status"], { by: "forgetInEffects" }),
  "effect_review.review": { ...REASON, where: "review IS NOT NULL", key: "json_array(effect_id, session_id)" },
  "effect_review.review_state": WORD,
  ...each("actor", ["type", "uid", "name", "json"], STAFF),
  ...each("store", ["workspace_uid", "log_uid"], ID),
  "moved_event.pending_uid": ID,
  "reference_key.key": SECRET,
  "attribute_types.json": SHOWN_JSON,
  ...each("appearance", ["privacy_url", "contact_url", "frame_ancestors"], ADDRESS),
  "image.uid": ID,
  ...each("image", ["hash", "bytes"], { not: "an image of a study" }),
  ...each("signing_key", ["secret", "previous_secret"], SECRET),
  "signing_key.created_at": WORD,
  ...each("appearance", ["accent_color", "logo_hash", "logo_bytes"], { not: "a colour and an image" }),
};
