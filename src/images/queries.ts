// Statements on the images of a workspace's studies.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Image } from "./encode.ts";

export interface ImageRow {
  uid: string;
  width: number;
  height: number;
  /** In bytes. */
  size: number;
}

const COLUMNS = "uid, width, height, octet_length(bytes) AS size";

export function findImage(db: Reader, uid: string): ImageRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM image WHERE uid = ?`, uid);
}

export function findImageByHash(db: Reader, hash: string): ImageRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM image WHERE hash = ?`, hash);
}

/** In the order in which they were sent. */
export function listImageIds(db: Reader): string[] {
  return db.values("SELECT uid FROM image ORDER BY id");
}

/** Those that there are of some ids. */
export function imagesOf(db: Reader, uids: readonly string[]): Map<string, ImageRow> {
  const rows = uids.length
    ? db.all<ImageRow>(
        `SELECT ${COLUMNS} FROM image WHERE uid IN (SELECT value FROM json_each(?))`,
        JSON.stringify(uids),
      )
    : [];
  return new Map(rows.map((row) => [row.uid, row]));
}

export function findImageBytes(db: Reader, uid: string): Buffer | undefined {
  return db.value("SELECT bytes FROM image WHERE uid = ?", uid);
}

export function countImages(db: Reader): number {
  return db.value("SELECT count(*) FROM image")!;
}

/** @param now in ms since 1970 */
export function insertImage(db: Writer, uid: string, { hash, width, height, bytes }: Image, now: number): void {
  db.run(
    "INSERT INTO image (uid, hash, width, height, bytes, wanted_at) VALUES (?, ?, ?, ?, ?, ?)",
    uid,
    hash,
    width,
    height,
    Buffer.from(bytes),
    now,
  );
}

/** Somebody has sent it again, or a draft has shown it until now: it is kept for as long as a new one. */
export function wantImage(db: Writer, uid: string, now: number): void {
  db.run("UPDATE image SET wanted_at = ? WHERE uid = ?", now, uid);
}
