// Publishes a screener: copies its draft as the next version, which becomes the active publication.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { positionArms, publishArms } from "../../arms/queries.ts";
import { attributeKeys } from "../../base/attributes.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { EventDetails } from "../../engine/ledger/events.ts";
import type { Actor } from "../../events/actors.ts";
import { actorRow } from "../../events/actors.ts";
import type { NewEvent } from "../../events/record.ts";
import { lateArmsOf } from "../content/advice/late-arms.ts";
import { linksGivenAway, missingAttributes, sharedSignatures, TARGET_WITH_REVIEW } from "../content/advice/warnings.ts";
import type { Content } from "../content/content.ts";
import type { SetAside } from "../content/incomplete/pieces.ts";
import { copyDraft, findDraft } from "../content/queries.ts";
import { recordIfTurned } from "../quotas/claim.ts";
import { listQuotaRows, publishedRules, publishQuotas } from "../quotas/queries.ts";
import { activatePublication, getScreener } from "../screeners/queries.ts";
import { requireSigningKey } from "../signing-keys/queries.ts";
import { archiveActive, findLatestPublication, insertPublication, tagSetRow } from "./queries.ts";
import { publication, type TagInput } from "./resource.ts";
import { draftLanguages, incompleteIn, publishTranslations, requireTranslations } from "./wording.ts";

interface PublishInput {
  screenerId: string;
  /** Null: none. Undefined: that of the screener's latest publication, as with tags. */
  targetQualifiedParticipants?: number | null | undefined;
  tags?: TagInput[] | null | undefined;
  /** Nothing is published that is not translated. */
  requireTranslations?: boolean | undefined;
  /** Only a draft of one of these revisions is published. */
  revisions?: number[] | undefined;
}

/** Something that is allowed in a publication, but is probably a mistake. */
const NO_QUESTIONS = { code: "no_questions", message: "The publication has no questions: there is nothing to answer." };

/** Why nothing is published. */
export const PUBLISHING_PROBLEMS = [
  "screener_not_found",
  "precondition_failed",
  "draft_incomplete",
  "translations_incomplete",
  "quota_rule_changed",
  "signing_key_missing",
] as const;

/**
 * Call it inside a transaction. @returns the new publication as JSON, and warnings. @throws Problem: one of those
 */
export function publish(
  db: Writer,
  input: PublishInput,
  by: Actor,
): { result: string; warnings?: object[]; event: EventDetails; following: NewEvent[] } {
  const screener = getScreener(db, input.screenerId);
  const { revisions } = input;
  if (revisions && !revisions.includes(findDraft(db, screener.id).revision)) throw new Problem("precondition_failed");
  const { json, incomplete } = findDraft(db, screener.id);
  if (incomplete !== null) throw incompleteDraft(JSON.parse(incomplete));
  const content: Content = JSON.parse(json);
  const languages = draftLanguages(db, screener.id, content, screener.title);
  if (input.requireTranslations) requireTranslations(languages);
  if (content.signRedirects) requireSigningKey(db);
  const at = new Date();
  const now = at.toISOString();
  const actor = actorRow(db, by);
  const uid = newId();
  const latest = findLatestPublication(db, screener.id);
  const { targetQualifiedParticipants: target = latest?.target_qualified_participants ?? null, tags } = input;
  archiveActive(db, screener.id, actor, now);
  const publicationId = insertPublication(db, {
    uid,
    screenerId: screener.id,
    version: (latest?.version ?? 0) + 1,
    target,
    tagSetId: tags === undefined && latest ? latest.tag_set_id : tagSetRow(db, tags ?? []),
    actor,
    now,
  });
  const questions = copyDraft(db, screener.id, publicationId);
  publishTranslations(db, publicationId, content, languages);
  activatePublication(db, { id: screener.id, publicationId, actor, now });
  const result = publication.find(db, uid)!;
  const { version } = JSON.parse(result);
  const before = listQuotaRows(db, screener.id);
  publishQuotas(db, screener.id, content.quotas ?? [], { actor, now });
  const { assignments = [] } = content;
  publishArms(db, screener.id, assignments);
  positionArms(
    db,
    screener.id,
    assignments.flatMap(({ arms }) => arms.map(({ id }) => id)),
  );
  requireRules(content, publishedRules(db, screener.id));
  const following: NewEvent[] = [];
  const modes = new Map(content.quotas?.map(({ id, mode }) => [id, mode]));
  // Another mode may make a quota full, or open it.
  for (const quota of before)
    if ((modes.get(quota.uid) ?? quota.mode) !== quota.mode)
      recordIfTurned(db, quota, (event) => following.push(event), at);
  const warnings = [
    ...(questions === 0 ? [NO_QUESTIONS] : []),
    ...(target !== null && screener.review !== "NONE"
      ? [{ code: "target_with_review", message: TARGET_WITH_REVIEW }]
      : []),
    ...missingAttributes(content, attributeKeys(db)).map((one) => ({ code: "unknown_attribute", ...one })),
    ...lateArmsOf(content).map(({ message }) => ({ code: "arm_not_drawn_yet", message })),
    ...incompleteIn(languages).map((message) => ({ code: "translation_incomplete", message })),
    ...linksGivenAway(content).map((one) => ({ code: "link_given_away", ...one })),
    ...sharedSignatures(content).map((message) => ({ code: "signature_shared", message })),
  ];
  return {
    result,
    ...(warnings.length && { warnings }),
    event: { at, summary: { screenerPublicationId: uid, version, questions } },
    following,
  };
}

/** @returns a problem with all that is wrong in what is set aside */
function incompleteDraft(pieces: readonly SetAside[]): Problem {
  const errors = pieces.flatMap((piece) => piece.errors);
  return new Problem("draft_incomplete", { errors, errorCount: errors.length });
}

/**
 * A draft that was read before a quota of it was published may have another rule under its id. @throws Problem quota_rule_changed
 */
function requireRules({ quotas = [] }: Content, published: ReadonlyMap<string, string | null>): void {
  const errors = quotas.flatMap(({ id, when }, index) =>
    published.get(id) === (when && JSON.stringify(when))
      ? []
      : [{ pointer: `/quotas/${index}/when`, message: "is not the rule with which this quota was published" }],
  );
  if (errors.length) throw new Problem("quota_rule_changed", { errors });
}
