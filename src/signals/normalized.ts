// Texts and emails without what does not tell two of them apart, and their hashes.

import { hash } from "node:crypto";

const ASCII = /^[\0-~]*$/;

/** Letters and digits alone, in small letters: what somebody has copied and decorated stays the same. */
export function normalizedText(text: string): string {
  // The same, in a tenth of the time.
  if (ASCII.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  // ß and SS are one only in capitals.
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

const GOOGLE = new Set(["gmail.com", "googlemail.com"]);

/** All addresses of one mailbox, as far as its spelling says so: without what follows a plus; at Google without dots, too. */
export function normalizedEmail(email: string): string {
  const trimmed = email.trim();
  const lower = (ASCII.test(trimmed) ? trimmed : trimmed.normalize("NFKC")).toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  const [box = ""] = lower.slice(0, at).split("+", 1);
  return GOOGLE.has(domain) ? `${box.replaceAll(".", "")}@gmail.com` : `${box}@${domain}`;
}

/** 52 bits, as SQLite and JavaScript have exactly. */
const HEX_DIGITS = 13;

/** The hash of something of a screener. */
export function markOfWords(screenerId: number, kind: string, words: string): number {
  return Number.parseInt(hash("sha256", `${screenerId} ${kind} ${words}`).slice(0, HEX_DIGITS), 16);
}
