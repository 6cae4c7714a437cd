// What is copied, sent or fetched is hashed and counted on its way.

import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** What came through a stream. */
export interface Hashed {
  bytes: number;
  sha256: string;
}

/** Passes bytes on. @param isDropped whether they go nowhere: they are only hashed. @returns the stream, and what came through it so far */
export function hashing(
  onBytes: (bytes: number) => void = () => {},
  isDropped = false,
): { stream: Transform; hashed: () => Hashed } {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(chunk.length);
      done(null, isDropped ? undefined : chunk);
    },
  });
  return { stream, hashed: () => ({ bytes, sha256: hash.copy().digest("hex") }) };
}
