// Settings of mail: the relay that takes it, from whom it is, and what it is signed with.

import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { LOOPBACK, wholeNumber } from "./values.ts";

const MAX_PER_MINUTE = 100_000;
/** Ten a second: relays of universities and of small providers take that. */
const PER_MINUTE = 600;

const SMTPS_PORT = 465;
/** Of a relay that programs submit to (RFC 6409). */
const SUBMISSION_PORT = 587;
const SMTP_PORT = 25;

/** A name and an address, as in `The team <team@example.org>`. */
export interface Mailbox {
  name: string;
  address: string;
}

export interface MailConfig {
  relay: {
    host: string;
    port: number;
    /** Whether TLS comes first, and not after STARTTLS. */
    isSecure: boolean;
    /** Whether it is this machine: then nothing is encrypted. */
    isLoopback: boolean;
    /** Undefined: it asks for none. */
    login: { user: string; pass: string } | undefined;
  };
  from: Mailbox;
  replyTo: Mailbox | undefined;
  /** How many messages leave in a minute, of all workspaces together. */
  perMinute: number;
  /** Undefined: the relay signs, or nobody. */
  dkim: { domain: string; selector: string; privateKey: string } | undefined;
  /** Undefined: nobody brings us the mail that comes back. */
  inbound: Inbound | undefined;
}

/** Where mail comes back to, and what those sign with who bring it. */
export interface Inbound {
  /** The address is cut in two: between its halves stands `+`, and what a message came to. */
  name: string;
  domain: string;
  secret: string;
}

const ADDRESS = /^[^\s<>()[\]@,;:"\\\p{Cc}]+@[^\s<>()[\]@,;:"\\\p{Cc}.]+(?:\.[^\s<>()[\]@,;:"\\\p{Cc}.]+)*$/u;
const MAILBOX = /^(?:([^<>"@,;:\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u;

/** @returns undefined if it is none */
function readMailbox(text: string): Mailbox | undefined {
  const [, name = "", bracketed, plain] = MAILBOX.exec(text) ?? [];
  const address = (bracketed ?? plain ?? "").trim();
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}

const mailbox = v.pipe(
  v.string(),
  v.check((text) => readMailbox(text) !== undefined, "must be an address, as in: The team <team@example.org>"),
  v.transform((text) => readMailbox(text)!),
);

const DOMAIN = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i;
const SELECTOR = /^[a-z\d](?:[a-z\d._-]{0,62}[a-z\d])?$/i;

/** What stands behind the `+` needs the rest of the 64 signs that the part before the @ may have (RFC 5321, 4.5.3.1.1). */
const MAX_INBOUND_NAME = 15;
const MIN_SECRET_LENGTH = 32;

const inboundAddress = v.pipe(
  v.string(),
  v.check((text) => {
    const { name, address = "" } = readMailbox(text) ?? {};
    return name === "" && /^[a-z\d][a-z\d._-]*@[^@]+$/i.test(address) && address.indexOf("@") <= MAX_INBOUND_NAME;
  }, `must be an address alone, as in: returned@mail.example.org, with at most ${MAX_INBOUND_NAME} letters, digits, -, _ and dots before the @`),
);

export const mailEntries = {
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        const relay = readRelay(value);
        if (typeof relay !== "string") return relay;
        addIssue({ message: relay });
        return NEVER;
      }),
    ),
  ),
  MAIL_FROM: v.optional(mailbox),
  MAIL_REPLY_TO: v.optional(mailbox),
  MAIL_INBOUND: v.optional(inboundAddress),
  MAIL_INBOUND_SECRET: v.optional(
    v.pipe(v.string(), v.minLength(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)),
  ),
  MAIL_PER_MINUTE: wholeNumber(PER_MINUTE, 1, MAX_PER_MINUTE),
  MAIL_DKIM_DOMAIN: v.optional(v.pipe(v.string(), v.regex(DOMAIN, "must be a domain, as in: example.org"))),
  MAIL_DKIM_SELECTOR: v.optional(v.pipe(v.string(), v.regex(SELECTOR, "must be letters, digits, -, _ and dots"))),
  MAIL_DKIM_KEY_FILE: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        const key = readKey(value);
        if ("pem" in key) return key.pem;
        addIssue({ message: key.fault });
        return NEVER;
      }),
    ),
  ),
};

const NOT_A_RELAY = "must be like smtps://user:password@mail.example.org or smtp://mail.example.org:587";

/** @returns what is wrong with it, as words */
function readRelay(text: string): MailConfig["relay"] | string {
  if (!URL.canParse(text)) return NOT_A_RELAY;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if ((protocol !== "smtps:" && protocol !== "smtp:") || hostname === "") return NOT_A_RELAY;
  if (pathname.replace("/", "") || search || hash) return "must end with the host or the port";
  if ((username === "") !== (password === "")) return "must have a user and a password, or neither";
  const isSecure = protocol === "smtps:";
  const isLoopback = LOOPBACK.test(hostname.toLowerCase());
  const usual = isSecure ? SMTPS_PORT : isLoopback ? SMTP_PORT : SUBMISSION_PORT;
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    return {
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? usual : Number(port),
      isSecure,
      isLoopback,
      login: user === "" ? undefined : { user, pass },
    };
  } catch {
    return "must have signs of the user and the password percent-encoded: % as %25";
  }
}

function readKey(path: string): { pem: string } | { fault: string } {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    return { fault: `can't be read (${(error as NodeJS.ErrnoException).code})` };
  }
  try {
    const { asymmetricKeyType } = createPrivateKey(pem);
    if (asymmetricKeyType === "rsa" || asymmetricKeyType === "ed25519") return { pem };
  } catch {
    // Said below.
  }
  return { fault: "must be a file with a private key, RSA or Ed25519, in PEM" };
}

const INBOUND = ["MAIL_INBOUND", "MAIL_INBOUND_SECRET"] as const;

const DKIM = ["MAIL_DKIM_DOMAIN", "MAIL_DKIM_SELECTOR", "MAIL_DKIM_KEY_FILE"] as const;

/** A line for each variable that is missing, or is there for nothing. */
export function missingForMail(set: Record<string, unknown>): string[] {
  const given = Object.keys(mailEntries).filter((name) => set[name] && name !== "SMTP_URL");
  if (!set.SMTP_URL) return given.map((name) => `  ${name} must be left out without SMTP_URL: nothing is mailed`);
  const missing = DKIM.filter((name) => !set[name]);
  return [
    ...(set.MAIL_FROM ? [] : ["  MAIL_FROM must be set with SMTP_URL: from whom mail is"]),
    ...INBOUND.filter((name) => !set[name] && INBOUND.some((other) => set[other])).map(
      (name) => `  ${name} must be set: mail that comes back needs ${INBOUND.join(" and ")}`,
    ),
    ...(missing.length < DKIM.length ? missing : []).map(
      (name) => `  ${name} must be set: DKIM needs ${DKIM.join(", ")}`,
    ),
  ];
}

const variables = v.object(mailEntries);

export function mailOf(output: v.InferOutput<typeof variables>): MailConfig | undefined {
  const { SMTP_URL: relay, MAIL_FROM: from, MAIL_REPLY_TO: replyTo, MAIL_PER_MINUTE: perMinute } = output;
  if (relay === undefined || from === undefined) return undefined;
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: privateKey } = output;
  const { MAIL_INBOUND: inbound, MAIL_INBOUND_SECRET: secret } = output;
  const isSigned = domain !== undefined && selector !== undefined && privateKey !== undefined;
  const [name, host] = inbound?.split("@") ?? [];
  return {
    ...{ relay, from, replyTo, perMinute },
    dkim: isSigned ? { domain, selector, privateKey } : undefined,
    inbound: name && host && secret ? { name, domain: host, secret } : undefined,
  };
}
