// Makes public ids.

import * as crypto from "node:crypto";

let last = "";

/** A UUIDv7. Those of a process sort in the order in which they were made, also within a millisecond and when the clock goes back. */
export function newId(): string {
  last = idAfter(last);
  return last;
}

/** A UUIDv7 of now that sorts after `other`, which may be of the same millisecond or, from another clock, of a later one. */
export function idAfter(other: string): string {
  // Of the same millisecond, or of a later one: nothing that is drawn for now is likely to sort after it.
  if (other.slice(0, TIME_LENGTH) >= timeNow()) return following(other);
  const fresh = crypto.randomUUIDv7();
  return fresh > other ? fresh : following(other);
}

/** How long the time in an id is, as text. */
const TIME_LENGTH = 13;

let nowMs = 0;
let nowText = "";

function timeNow(): string {
  const now = Date.now();
  if (now !== nowMs) {
    nowMs = now;
    nowText = uuid7Time(new Date(now));
  }
  return nowText;
}

/** Steps that were drawn, many at once: each draw is a call of the system. */
let steps: Uint32Array | undefined;
let stepsTaken = 0;

/** What a process adds to an id of its own, of 32 random bits: another that adds to the same one comes to another id. */
function drawStep(): number {
  steps ??= new Uint32Array(256);
  if (stepsTaken % steps.length === 0) crypto.randomFillSync(steps);
  return steps[stepsTaken++ % steps.length]! || 1;
}

/** The 74 random bits are a counter here, as RFC 9562 has it (6.2, method 2). What does not fit into them goes on in the time. */
function following(id: string): string {
  const step = drawStep();
  // Almost always the last 48 bits have room for it.
  const low = Number.parseInt(id.slice(-12), 16) + step;
  if (low < 2 ** 48) return id.slice(0, -12) + low.toString(16).padStart(12, "0");
  const hex = id.replaceAll("-", "");
  const time = BigInt(`0x${hex.slice(0, 12)}`);
  const counter = (BigInt(`0x${hex.slice(13, 16)}`) << 62n) | (BigInt(`0x${hex.slice(16)}`) & (2n ** 62n - 1n));
  const next = (time << 74n) + counter + BigInt(step);
  const digits = (value: bigint, length: number) => value.toString(16).padStart(length, "0");
  const head = digits(next >> 74n, 12);
  const tail = digits((next & (2n ** 62n - 1n)) | (1n << 63n), 16);
  return `${head.slice(0, 8)}-${head.slice(8)}-7${digits((next >> 62n) & 4095n, 3)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** A UUIDv4, for ids that nobody may guess: a session's id opens its page. */
export function newUnguessableId(): string {
  return crypto.randomUUID();
}

/** A UUIDv8 (RFC 9562) that is always the same for the same name. */
export function idOfName(name: string): string {
  const hex = crypto.hash("sha256", name).slice(0, 32);
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const SLUG_BYTES = 16;
/** Random bytes, many at once: each draw is a call of the system. */
const DRAWN_BYTES = 128 * SLUG_BYTES;
/** Made by the first draw: the builder has this file in a browser, where there is no Buffer. */
let bytes: Buffer | undefined;
let drawn = DRAWN_BYTES;

/** A slug for links that nobody can guess: 128 random bits. @param mark see `markOf` */
export function newSlug(mark: string): string {
  bytes ??= Buffer.alloc(DRAWN_BYTES);
  if (drawn === DRAWN_BYTES) {
    crypto.randomFillSync(bytes);
    drawn = 0;
  }
  const from = drawn;
  drawn += SLUG_BYTES;
  return mark + bytes.toString("base64url", from, drawn);
}

/**
 * What keys, tokens and links of a workspace begin with where the cell has a name: `eu1-9f86d081.` for `eu1`. A proxy finds the
 * cell by it, also when the workspace has moved to another one.
 */
export function markOf(cell: string | null, workspaceUid: string): string {
  return cell === null ? "" : `${cell}-${workspaceUid.slice(-8)}.`;
}

/** A text without the mark that it may begin with. */
export function withoutMark(text: string): string {
  return text.slice(text.lastIndexOf(".") + 1);
}

/**
 * SQL expression for a UUIDv7 (RFC 9562) that grows with `counter`. The 26 bits after the time are the counter, so that a
 * million ids of one millisecond go into an index in order. 48 bits are random. Its parameter is uuid7Time().
 */
export function uuid7Sql(counter: string): string {
  return `printf('%s-7%03x-%04x-%012x', ?, (${counter} >> 14) & 4095, 32768 | (${counter} & 16383), random() & 281474976710655)`;
}

/** The first 48 bits of a UUIDv7: the time, as text. */
export function uuid7Time(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
