// Passwords: what they must be, and their hashes (argon2id, RFC 9106).

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { lengthOf } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";

export const MIN_PASSWORD_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 500;

/** OWASP's least for argon2id: 19 MiB, twice. About 30 ms. */
const COSTS = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** How many may wait for their turn. */
const MAX_WAITING = 30;

/** Where there is no password, this is compared: the answer takes as long. Nothing hashes to zeros. */
const NOBODYS = format(COSTS, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

type Costs = typeof COSTS;

const derive = promisify<"argon2id", Argon2Parameters, Buffer>(argon2);

/** What is wrong with a new password; undefined: nothing. */
export function faultOfPassword(password: string): string | undefined {
  const length = lengthOf(password);
  if (length < MIN_PASSWORD_CHARACTERS) return `Use at least ${MIN_PASSWORD_CHARACTERS} characters.`;
  return length > MAX_PASSWORD_CHARACTERS ? `Use at most ${MAX_PASSWORD_CHARACTERS} characters.` : undefined;
}

/** The hash to keep, with what it was made with. @throws Problem 429 when too many wait */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(COSTS, salt, await inTurn(password, salt, COSTS));
}

/** Whether the password is the one of a hash; null: there is none. It takes as long for every answer. @throws Problem 429 when too many wait */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const { costs, salt, hash } = parse(kept ?? NOBODYS);
  return timingSafeEqual(await inTurn(password, salt, costs), hash);
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** One at a time: Node's pool has four threads, and commits are flushed in them. */
async function inTurn(password: string, nonce: Buffer, costs: Costs): Promise<Buffer> {
  if (waiting >= MAX_WAITING) throw new Problem("too_many_requests", { headers: { "Retry-After": "2" } });
  waiting++;
  // Keyboards write the same character in several ways.
  const message = password.slice(0, 2 * MAX_PASSWORD_CHARACTERS).normalize("NFKC");
  const mine = last.then(() => derive("argon2id", { message, nonce, tagLength: HASH_BYTES, ...costs }));
  last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    waiting--;
  }
}

function format({ memory, passes, parallelism }: Costs, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

function parse(kept: string): { costs: Costs; salt: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, salt = "", hash = ""] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(kept) ?? [];
  return {
    costs: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}
