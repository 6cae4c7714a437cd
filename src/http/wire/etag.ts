// Entity tags (RFC 9110, 8.8.3). The tag of a representation ends in its content coding: "7" plain, "7-gzip" compressed.

import { hash } from "node:crypto";

/** The entity tag of a version, before any content coding. `version` must change whenever the bytes would. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The entity tag of a resource: of the JSON that GET shows of it, before any content coding. */
export function tagOf(json: string): string {
  return `"${hash("sha1", json).slice(0, 24)}"`;
}

/** The tag of the same version with a content coding. */
export function withCoding(etag: string, coding: string): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** Whether If-Match names `etag`, with any coding. Weak tags don't count. */
export function matches(header: string, etag: string): boolean {
  return header.trim() === "*" || tagsNamed(header).some((tag) => withoutCoding(tag) === etag);
}

/** The versions whose tags If-Match names, with any coding; undefined for `*`, which names all. Weak tags don't count. */
export function versionsNamed(header: string): number[] | undefined {
  if (header.trim() === "*") return undefined;
  return tagsNamed(header).flatMap((tag) => {
    const [, version] = /^"(0|[1-9]\d{0,14})"$/.exec(withoutCoding(tag)) ?? [];
    return version === undefined ? [] : Number(version);
  });
}

/** The tag by which If-None-Match names `etag`, with any coding, or undefined. Weak tags count; `*` is every tag. */
export function findNamed(header: string, etag: string): string | undefined {
  if (header.trim() === "*") return etag;
  return tagsNamed(header)
    .map((tag) => tag.replace(/^W\//, ""))
    .find((tag) => withoutCoding(tag) === etag);
}

/** The entity tags that a header names. */
export function tagsNamed(header: string): string[] {
  return [...header.matchAll(/(?:^|,)\s*((?:W\/)?"[^"]*")\s*(?=,|$)/g)].map(([, tag = ""]) => tag);
}

function withoutCoding(tag: string): string {
  return tag.replace(/-(?:gzip|deflate|zstd)"$/, '"');
}
