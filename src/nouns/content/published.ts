// Caches the parsed content of publications, which never changes.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Parsed } from "../../base/parsed.ts";
import type { Content } from "./content.ts";
import { findPublishedJson } from "./queries.ts";

/** The content of a publication. @param cache of the process */
export function readPublished(db: Reader, cache: Parsed, publication: { id: number; uid: string }): Content {
  return cache.read(publication.uid, () => findPublishedJson(db, publication.id)) as Content;
}
