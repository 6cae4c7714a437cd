// For whom a study has no place any more: for everybody, or for people with certain attributes.

import type { Reader } from "../../db/sqlite/connection.ts";
import { NO_ATTRIBUTES, parseAttributes } from "../base/attributes.ts";
import type { Parsed } from "../base/parsed.ts";
import { attributesIn } from "../nouns/content/holds.ts";
import { readPublished } from "../nouns/content/queries.ts";
import { NOBODY } from "../nouns/participants/resource.ts";
import type { PublicationRow } from "../nouns/publications/queries.ts";
import { answeringAtFirst } from "../screening/answering.ts";
import { isFullAtStart } from "../screening/places.ts";

export interface Fullness {
  /** Whether nobody can begin any more, whatever the attributes. */
  isForAll: boolean;
  /** Whether it depends on who somebody is. */
  isPersonal: boolean;
  /** Whether somebody can't begin any more. @param attributes the text of src/base/attributes.ts @param participantId a rowid */
  isFor(attributes: string, participantId: number): boolean;
}

export const NEVER_FULL: Fullness = { isForAll: false, isPersonal: false, isFor: () => false };

export function fullnessOf(db: Reader, published: Parsed, publication: PublicationRow): Fullness {
  const { quotas = [], assignments = [] } = readPublished(db, published, publication);
  const conditions = [...quotas, ...assignments.flatMap(({ arms }) => arms)].flatMap(({ when }) => when ?? []);
  const keys = [...new Set(conditions.flatMap(attributesIn))].sort();
  const isFull = (attributes: string, participantId: number) =>
    isFullAtStart(db, answeringAtFirst(db, published, publication, attributes, ""), {
      state: "NOT_STARTED",
      participant_id: participantId,
    });
  if (!keys.length) {
    const isForAll = isFull(NO_ATTRIBUTES, NOBODY);
    return { isForAll, isPersonal: false, isFor: () => isForAll };
  }
  // People who have the same of these are alike, but for those who have a place.
  const known = new Map<string, boolean>();
  return {
    isForAll: false,
    isPersonal: true,
    isFor(attributes, participantId) {
      const all = parseAttributes(attributes);
      const alike = JSON.stringify(keys.map((key) => all.get(key) ?? null));
      const isFullForOthers = known.get(alike) ?? isFull(attributes, NOBODY);
      known.set(alike, isFullForOthers);
      if (!isFullForOthers || !hasPlace(db, publication.screener_id, participantId)) return isFullForOthers;
      return isFull(attributes, participantId);
    },
  };
}

/** Whether somebody has a place in a quota of a study, or had one that has lapsed. */
function hasPlace(db: Reader, screenerId: number, participantId: number): boolean {
  return (
    db.value(
      `SELECT 1 FROM screener_quota AS q JOIN quota_place AS x ON x.quota_id = q.id AND x.participant_id = ? AND x.state IN ('HELD', 'TAKEN')
       WHERE q.screener_id = ? LIMIT 1`,
      participantId,
      screenerId,
    ) === 1
  );
}
