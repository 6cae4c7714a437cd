// Caches the parsed content of publications, which never changes.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../db/connection.ts";
import type { Content } from "./content.ts";
import { findPublishedJson } from "./queries.ts";

/** In characters of JSON, of all cached contents together. */
const MAX_CACHE_LENGTH = 32 * 1024 * 1024;

export class PublishedContents {
  // By uid, which is unique in all workspaces.
  readonly #cache = new LRUCache<string, { content: Content; length: number }>({
    maxSize: MAX_CACHE_LENGTH,
    // A content that is larger than the cache is cached alone.
    sizeCalculation: ({ length }) => Math.min(length, MAX_CACHE_LENGTH),
  });

  read(db: Reader, publication: { id: number; uid: string }): Content {
    const cached = this.#cache.get(publication.uid);
    if (cached) return cached.content;
    const json = findPublishedJson(db, publication.id);
    const content = JSON.parse(json) as Content;
    this.#cache.set(publication.uid, { content, length: json.length });
    return content;
  }
}
