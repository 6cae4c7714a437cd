// The images that a draft no longer shows: an author may bring them back.

import type { Writer } from "../../db/sqlite/connection.ts";
import { wantImage } from "./queries.ts";

/** In JSON: no text has this, because quotation marks in texts are escaped. */
const IMAGE = /"image":\{[^{}]*?"id":"([^"]+)"/g;

/** A draft, and what of it is set aside, as they are stored. */
interface StoredDraft {
  json: string;
  incomplete: string | null;
}

function shownIn({ json, incomplete }: StoredDraft): Set<string> {
  return new Set([json, incomplete ?? ""].flatMap((text) => [...text.matchAll(IMAGE)].map(([, id]) => id!)));
}

/** Inside a transaction: what a draft shows no more is kept for as long as a new image. @param now in ms since 1970 */
export function wantLeftImages(db: Writer, before: StoredDraft, after: StoredDraft, now: number): void {
  const shown = shownIn(before);
  if (!shown.size) return;
  for (const id of shown.difference(shownIn(after))) wantImage(db, id, now);
}
