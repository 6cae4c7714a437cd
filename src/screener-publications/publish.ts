// Publishes a screener: copies its draft as the next version, which becomes the active publication.

import type { Writer } from "../../db/connection.ts";
import { newId } from "../ids.ts";
import { copyDraft } from "../screener-content/queries.ts";
import { activatePublication, getScreener } from "../screeners/queries.ts";
import { actorRow } from "../workspaces/actors.ts";
import type { Actor } from "../workspaces/credentials.ts";
import { archiveActive, findLatestPublication, insertPublication, tagSetRow } from "./queries.ts";
import { publication, type TagInput } from "./resource.ts";

export interface PublishInput {
  screenerId: string;
  /** Null: none. Undefined: that of the screener's latest publication. So are tags. */
  targetQualifiedParticipants?: number | null | undefined;
  tags?: TagInput[] | null | undefined;
}

/** Call it inside a transaction. @returns the new publication as JSON. @throws Problem screener_not_found */
export function publish(db: Writer, input: PublishInput, by: Actor): string {
  const screener = getScreener(db, input.screenerId);
  const now = new Date().toISOString();
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
  copyDraft(db, screener.id, publicationId);
  activatePublication(db, { id: screener.id, publicationId, actor, now });
  return publication.find(db, uid)!;
}
