// What counts for a draft beside what its author sends: earlier publications of the screener, and what the workspace declares.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { publishedArms } from "../../arms/queries.ts";
import { listTypes } from "../../attribute-types/queries.ts";
import { publishedRules } from "../quotas/queries.ts";
import type { Content } from "./content.ts";
import type { KnownArms } from "./draft-arms.ts";
import { attributesReferredTo } from "./draft-references.ts";

export interface Around {
  /** The rules of the quotas, by id: JSON of a condition, or null. They never change. */
  rules: ReadonlyMap<string, string | null>;
  arms: KnownArms;
  /** The attributes that texts may refer to. Undefined: any, because the workspace declares none. */
  attributes: ReadonlySet<string> | undefined;
}

/** @param current the draft so far. What its texts refer to stays allowed: whoever declares attributes stops no author. */
export function aroundDraft(db: Reader, screenerId: number, current: Content): Around {
  const declared = listTypes(db).map(({ key }) => key);
  const attributes = declared.length ? new Set([...declared, ...attributesReferredTo(current)]) : undefined;
  return { rules: publishedRules(db, screenerId), arms: publishedArms(db, screenerId), attributes };
}
