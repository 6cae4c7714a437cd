// Removes images that no draft and no publication shows any more.

import type { Expiry } from "../../db/expiry.ts";
import type { Reader } from "../../db/sqlite/connection.ts";

const DAY_MS = 24 * 3_600_000;

/** So long an image stays that nothing shows: an author may put a statement back, or send a draft that was written elsewhere. */
const KEPT_DAYS = 7;

/** In one transaction: all contents are searched for an image, and nobody else writes meanwhile. */
const SLICE = 1;

/**
 * Looked at are those that were wanted last, and looked at last, some days ago. One that a publication shows is not looked at again as long
 * as that is there: it never changes.
 */
export const unusedImages: Expiry = {
  isDue: (db, { now }) => due(db, now).length > 0,
  remove(db, { now }) {
    const images = due(db, now);
    for (const { id, uid } of images) {
      const publication = db.value<number>(
        "SELECT screener_publication_id FROM publication_content WHERE instr(json, ?) LIMIT 1",
        uid,
      );
      if (publication !== undefined)
        db.run("UPDATE image SET screener_publication_id = ? WHERE id = ?", publication, id);
      else if (
        db.value(
          "SELECT 1 FROM screener_content WHERE instr(json, ?) OR instr(coalesce(incomplete, ''), ?) LIMIT 1",
          uid,
          uid,
        ) !== undefined
      )
        db.run("UPDATE image SET wanted_at = ? WHERE id = ?", now, id);
      else db.run("DELETE FROM image WHERE id = ?", id);
    }
    return images.length === SLICE;
  },
};

function due(db: Reader, now: number): { id: number; uid: string }[] {
  return db.all(
    "SELECT id, uid FROM image WHERE screener_publication_id IS NULL AND wanted_at < ? ORDER BY id LIMIT ?",
    now - KEPT_DAYS * DAY_MS,
    SLICE,
  );
}
