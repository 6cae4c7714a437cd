// The addresses of a message to which it comes back, and to which its recipient writes to get no more mail. Each has a code behind a `+` that says
// which message it is, with a proof that only the workspace can make: nobody has an address suppressed by writing to a made-up one.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Inbound } from "../base/settings/mail.ts";
import type { Claimed } from "./claims.ts";

const LETTERS = { BOUNCE: "b", UNSUBSCRIBE: "u" } as const;
type Purpose = keyof typeof LETTERS;

/** A message of the outbox. Its id alone could be that of another one, after a restore. */
interface Named {
  workspaceUid: string;
  id: number;
  uid: string;
}

/** What an address says, before it is proven. */
export interface ReturnAddress extends Omit<Named, "uid"> {
  purpose: Purpose;
  proof: string;
}

/** Letters and digits only, whose case does not count: some relays change it. */
const RADIX = 32;
const UUID_LENGTH = 26;
const PROOF_BITS = 60;
const PROOF_LENGTH = PROOF_BITS / Math.log2(RADIX);
const MAX_ID_LENGTH = 9;

/** Gives messages the addresses to which they come back. @param key of the workspace */
export function withReturns(
  claimed: Claimed[],
  inbound: Inbound,
  { workspaceUid, key }: { workspaceUid: string; key: Uint8Array },
): Claimed[] {
  return claimed.map((one) => {
    const of = (purpose: Purpose) => returnAddress(inbound, key, purpose, { workspaceUid, id: one.id, uid: one.uid });
    return { ...one, returning: { returnPath: of("BOUNCE"), unsubscribe: of("UNSUBSCRIBE") } };
  });
}

function returnAddress({ name, domain }: Inbound, key: Uint8Array, purpose: Purpose, message: Named): string {
  const { workspaceUid, id } = message;
  const workspace = BigInt(`0x${workspaceUid.replaceAll("-", "")}`)
    .toString(RADIX)
    .padStart(UUID_LENGTH, "0");
  const code = LETTERS[purpose] + workspace + id.toString(RADIX) + proofOf(key, purpose, message);
  return `${name}+${code}@${domain}`;
}

function proofOf(key: Uint8Array, purpose: Purpose, { workspaceUid, id, uid }: Named): string {
  const digest = createHmac("sha256", key).update(`returned:${purpose} ${workspaceUid} ${id} ${uid}`).digest();
  return BigInt.asUintN(PROOF_BITS, digest.readBigUInt64BE()).toString(RADIX).padStart(PROOF_LENGTH, "0");
}

const CODE = new RegExp(
  `^([${Object.values(LETTERS).join("")}])([0-9a-v]{${UUID_LENGTH}})([0-9a-v]{1,${MAX_ID_LENGTH}})([0-9a-v]{${PROOF_LENGTH}})$`,
);

/** @returns undefined: it is not one of ours */
export function readReturnAddress({ name, domain }: Inbound, address: string): ReturnAddress | undefined {
  const text = address.trim().toLowerCase();
  const [start, end] = [`${name.toLowerCase()}+`, `@${domain.toLowerCase()}`];
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined;
  const [, letter, workspace = "", id = "", proof = ""] = CODE.exec(text.slice(start.length, -end.length)) ?? [];
  const purpose = (Object.keys(LETTERS) as Purpose[]).find((one) => LETTERS[one] === letter);
  if (!purpose) return undefined;
  return { purpose, workspaceUid: uuidOf(workspace), id: Number.parseInt(id, RADIX), proof };
}

function uuidOf(text: string): string {
  const value = [...text].reduce((sum, digit) => sum * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX)), 0n);
  const hex = BigInt.asUintN(128, value).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Whether the address is of this message. @param uid the message's */
export function isProven(key: Uint8Array, { purpose, proof, ...of }: ReturnAddress, uid: string): boolean {
  const right = proofOf(key, purpose, { ...of, uid });
  return timingSafeEqual(Buffer.from(right), Buffer.from(proof));
}
