// Verifies a DKIM signature as a receiver does (RFC 6376).

import type { KeyObject } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";

/** Whether the message has a signature that is of this key, over its body and over these headers. */
export async function isSigned(raw: string, publicKey: KeyObject, signedHeaders: readonly string[]): Promise<boolean> {
  const der = publicKey.export({ type: "spki", format: "der" });
  const isEd25519 = publicKey.asymmetricKeyType === "ed25519";
  const key = (isEd25519 ? der.subarray(-32) : der).toString("base64");
  const record = `v=DKIM1; k=${isEd25519 ? "ed25519" : "rsa"}; p=${key}`;
  const { results } = await dkimVerify(Buffer.from(raw, "latin1"), { resolver: async () => [[record]] });
  const [result] = results;
  const names = (result?.signingHeaders?.keys ?? "").toLowerCase().split(/:\s*/);
  return result?.status.result === "pass" && signedHeaders.every((name) => names.includes(name));
}
