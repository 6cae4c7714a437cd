// What texts of some kinds look like, as people type them, and the form of each that programs can compare.

import { inAscii } from "./typed-number.ts";

export const FORMATS = ["EMAIL", "PHONE", "POSTCODE", "URL", "DIGITS"] as const;

export type Format = (typeof FORMATS)[number];

/** Such texts in words for programs and authors, and one of each. */
export const FORMAT_NAMES: Record<Format, { name: string; example: string }> = {
  EMAIL: { name: "an email address", example: "name@example.org" },
  PHONE: { name: "a phone number", example: "+44 20 7946 0958" },
  POSTCODE: { name: "a postcode", example: "SW1A 1AA" },
  URL: { name: "a web address", example: "https://example.org" },
  DIGITS: { name: "digits", example: "1234" },
};

/** The longest text of each, as it is typed. Checked first: what follows looks at every character. */
const MAX_LENGTHS: Record<Format, number> = { EMAIL: 254, PHONE: 50, POSTCODE: 20, URL: 2000, DIGITS: 200 };

const READERS: Record<Format, (typed: string) => string | undefined> = {
  EMAIL: readEmail,
  PHONE: readPhone,
  POSTCODE: readPostcode,
  URL: readUrl,
  DIGITS: readDigits,
};

/** A typed text in the form that programs can compare. Undefined: it is none of the format. */
export function normalized(format: Format, typed: string): string | undefined {
  return typed.length > MAX_LENGTHS[format] ? undefined : READERS[format](typed);
}

/** Also people with an internationalized address have one `@`, and a domain of several parts. */
const EMAIL =
  /^(?<local>[^\s@"<>,;:()[\]\\\p{C}]+)@(?<domain>[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.[\p{L}\p{M}\p{N}-]{2,})$/u;

function readEmail(typed: string): string | undefined {
  const { local, domain } = EMAIL.exec(withoutInvisible(typed))?.groups ?? {};
  if (local === undefined || domain === undefined) return undefined;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return undefined;
  // No part of a domain begins or ends with a hyphen (RFC 1123).
  if (/(?:^|\.)-|-(?:\.|$)/.test(domain)) return undefined;
  return `${local}@${domain.toLowerCase()}`;
}

/** Of ITU-T E.164, without the sign; and the shortest that there are within countries. */
const MAX_PHONE_DIGITS = 15;
const MIN_PHONE_DIGITS = 5;

function readPhone(typed: string): string | undefined {
  const text = inAscii(typed);
  if (!/^(?:\+|\()?[\d ().\u2010-\u2015/-]+$/.test(text)) return undefined;
  const isInternational = /^(?:\+|00)/.test(text);
  // "+44 (0)20 …": the 0 is for calls from within the country.
  const whole = isInternational ? text.replace("(0)", "") : text;
  const digits = whole.replace(/^00/, "").replaceAll(/\D/g, "");
  if (digits.length < MIN_PHONE_DIGITS || digits.length > MAX_PHONE_DIGITS) return undefined;
  // No country has a code that begins with 0.
  if (!isInternational) return digits;
  return digits.startsWith("0") ? undefined : `+${digits}`;
}

/** Some have no digits (Bermuda), three characters (Iceland), or ten (the USA). */
const POSTCODE = /^[\p{L}\p{N}](?:[ -]?[\p{L}\p{N}]){1,11}$/u;

function readPostcode(typed: string): string | undefined {
  // In Japan a mark stands before the digits.
  const text = inAscii(typed)
    .replace(/^\u3012/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toUpperCase();
  return POSTCODE.test(text) ? text : undefined;
}

function readUrl(typed: string): string | undefined {
  const text = withoutInvisible(typed);
  if (/\s/.test(text)) return undefined;
  const address = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password) return undefined;
  // Without a point it is a word, or a machine in somebody's own network.
  return /[^.]\.[^.]/.test(address.hostname) ? address.href : undefined;
}

function readDigits(typed: string): string | undefined {
  const text = inAscii(typed);
  return /^\d[\d -]*$/.test(text) ? text.replaceAll(/\D/g, "") : undefined;
}

/** What comes along where people copy, and nobody sees. */
function withoutInvisible(typed: string): string {
  return typed.replaceAll(/\p{Cf}/gu, "").trim();
}
