// The contents of publications, as objects. They are immutable, so those that were used last are kept.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../db/connection.ts";
import type { Content } from "./content.ts";
import { findPublishedJson } from "./queries.ts";

/** Of all contents that are kept: characters of JSON. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;

export class PublishedContents {
  // By uid, which is unique among all workspaces.
  readonly #kept = new LRUCache<string, { content: Content; length: number }>({
    maxSize: MAX_KEPT_LENGTH,
    // One that is larger than all of them may be is kept by itself.
    sizeCalculation: ({ length }) => Math.min(length, MAX_KEPT_LENGTH),
  });

  /** A publication's content. */
  read(db: Reader, publication: { id: number; uid: string }): Content {
    const known = this.#kept.get(publication.uid);
    if (known) return known.content;
    const json = findPublishedJson(db, publication.id);
    const content = JSON.parse(json) as Content;
    this.#kept.set(publication.uid, { content, length: json.length });
    return content;
  }
}
