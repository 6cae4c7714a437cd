// Verifies a DKIM signature as a receiver does (RFC 6376), with relaxed canonicalization of headers and body.

import { createHash, type KeyObject, verify } from "node:crypto";

/** Whether the message has a signature that is of this key, over its body and over these headers. */
export function isSigned(raw: string, publicKey: KeyObject, signedHeaders: readonly string[]): boolean {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const headers = head.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n");
  const signature = headers.find((line) => /^dkim-signature:/i.test(line)) ?? "";
  const tags = new Map(
    signature
      .slice(signature.indexOf(":") + 1)
      .split(";")
      .map((tag) => [tag.split("=")[0]!.trim(), tag.slice(tag.indexOf("=") + 1).replaceAll(/\s/g, "")]),
  );
  const names = (tags.get("h") ?? "").toLowerCase().split(":");
  if (!signedHeaders.every((name) => names.includes(name))) return false;
  const lines = body.split("\r\n").map((line) => line.replaceAll(/[ \t]+/g, " ").replace(/ $/, ""));
  const whole = `${lines.join("\r\n").replace(/(?:\r\n)+$/, "")}\r\n`;
  if (createHash("sha256").update(whole, "latin1").digest("base64") !== tags.get("bh")) return false;
  const relaxed = (line: string) => {
    const at = line.indexOf(":");
    return `${line.slice(0, at).toLowerCase().trim()}:${line
      .slice(at + 1)
      .replaceAll(/\s+/g, " ")
      .trim()}`;
  };
  const covered = names.flatMap((name) => headers.findLast((line) => line.toLowerCase().startsWith(`${name}:`)) ?? []);
  const unsigned = relaxed(signature).replace(/(;|^)(\s*b=)[^;]*/, "$1$2");
  const data = Buffer.from([...covered.map(relaxed), unsigned].join("\r\n"), "latin1");
  return verify("sha256", data, publicKey, Buffer.from(tags.get("b") ?? "", "base64"));
}
