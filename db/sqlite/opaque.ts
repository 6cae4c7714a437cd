// Gives ids other ids: a UUID, encrypted with a key (AES-128, one block of 16 bytes). Without the key nobody gets from one to the other.
// With it both ways are short, so the other id needs no index, and every row has one, whichever release has written it.

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Database } from "better-sqlite3";

const ALGORITHM = "aes-128-ecb";

/** How long a UUID is as text. */
const UUID_LENGTH = 36;
const BLOCK_BYTES = 16;
/** Where the text of a UUID has its hexadecimal digits. */
const DIGITS = Array.from({ length: UUID_LENGTH }, (_, at) => at).filter((at) => ![8, 13, 18, 23].includes(at));
const HEX = Buffer.from("0123456789abcdef");
const VALUES = new Uint8Array(256);
for (const [value, digit] of HEX.entries()) VALUES[digit] = value;

/** The other ids of many UUIDs, as one text like theirs: one behind the other, in lower case. */
export function opaqueUuids(uuids: Buffer, key: Uint8Array): Buffer {
  return transformed(createCipheriv(ALGORITHM, key, null), uuids);
}

/** Gives a connection the SQL functions `opaque_uuid(uuid, key)` and `clear_uuid(opaque, key)`. Of what is no UUID they make null. */
export function addOpaqueUuids(sqlite: Database): void {
  for (const [name, make] of [
    ["opaque_uuid", createCipheriv],
    ["clear_uuid", createDecipheriv],
  ] as const) {
    const transform = transformer(make);
    sqlite.function(name, { deterministic: true }, (uuid: unknown, key: unknown) =>
      isUuid(uuid) && key instanceof Uint8Array ? transform(uuid, key) : null,
    );
  }
}

/** The other id of a UUID. */
export const opaqueUuid = transformer(createCipheriv);

/** It keeps the last cipher: most ids that come one after the other are those of one workspace. */
function transformer(make: (algorithm: string, key: Uint8Array, iv: null) => Cipher) {
  let known: { key: Uint8Array; cipher: Cipher } | undefined;
  return (uuid: string, key: Uint8Array): string => {
    if (!known || Buffer.compare(known.key, key)) {
      known = { key, cipher: make(ALGORITHM, key, null) };
      known.cipher.setAutoPadding(false);
    }
    return asUuid(known.cipher.update(uuid.replaceAll("-", ""), "hex", "hex"));
  };
}

type Cipher = Pick<ReturnType<typeof createCipheriv>, "setAutoPadding" | "update">;

/** Each UUID is a block of its own, and what went before it does not matter. Byte by byte: strings would take three times as long. */
function transformed(cipher: Cipher, uuids: Buffer): Buffer {
  cipher.setAutoPadding(false);
  const count = uuids.length / UUID_LENGTH;
  const blocks = Buffer.alloc(count * BLOCK_BYTES);
  for (let row = 0, byte = 0; row < uuids.length; row += UUID_LENGTH)
    for (let digit = 0; digit < DIGITS.length; digit += 2)
      blocks[byte++] = (VALUES[uuids[row + DIGITS[digit]!]!]! << 4) | VALUES[uuids[row + DIGITS[digit + 1]!]!]!;
  const made = cipher.update(blocks);
  const text = Buffer.alloc(uuids.length, "-");
  for (let row = 0, byte = 0; row < uuids.length; row += UUID_LENGTH)
    for (let digit = 0; digit < DIGITS.length; digit += 2, byte++) {
      text[row + DIGITS[digit]!] = HEX[made[byte]! >> 4]!;
      text[row + DIGITS[digit + 1]!] = HEX[made[byte]! & 15]!;
    }
  return text;
}

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
