// HMAC-SHA-256 (RFC 2104) by a key that makes many of them. Node's own Hmac is an object with a state in OpenSSL, which takes three times as
// long as two hashes that are made at once; a test compares both.

import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longer ones need more room: what is hashed here has some 50. */
const MAX_TEXT_BYTES = 448;

/** The HMAC of a text, in hex. */
export type KeyedHash = (text: string) => string;

/** @param key at most 64 bytes */
export function keyedHash(key: Uint8Array): KeyedHash {
  if (key.length > BLOCK_BYTES) throw new Error(`The key has ${key.length} bytes, more than ${BLOCK_BYTES}.`);
  const inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
  for (const [at, byte] of key.entries()) {
    inner[at]! ^= byte;
    outer[at]! ^= byte;
  }
  const beginning = inner.subarray(0, BLOCK_BYTES);
  return (text) => {
    const length = Buffer.byteLength(text);
    if (length <= MAX_TEXT_BYTES) inner.write(text, BLOCK_BYTES);
    const whole =
      length <= MAX_TEXT_BYTES
        ? inner.subarray(0, BLOCK_BYTES + length)
        : Buffer.concat([beginning, Buffer.from(text)]);
    outer.write(hash("sha256", whole), BLOCK_BYTES, "hex");
    return hash("sha256", outer);
  };
}
