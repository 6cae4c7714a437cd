// What has become of a message that was given to the relay: by its reply, or by how the connection ended.

/** What is known of an attempt while it is made. */
export interface Attempted {
  /** Whether a byte of the message has left. */
  hasBegun(): boolean;
}

/**
 * SENT: the relay has it. DEFERRED: it does not, and may take it later. FAILED: it never will. UNCERTAIN: the connection ended before the
 * relay's reply, so it may have the message or not.
 */
export interface Sent {
  state: "SENT" | "DEFERRED" | "FAILED" | "UNCERTAIN";
  /** The relay's words, or ours. Without the recipient's address. */
  reply: string;
  /** Whether the relay can't be used at all: that is not about the message. */
  isOfRelay: boolean;
  /** Whether it was refused because nobody has the address. */
  isUnknownAddress?: boolean;
}

const MAX_REPLY_LENGTH = 300;

/** A reply in one line, without the address of the recipient. */
export function plainReply(reply: string, address: string): string {
  const line = reply.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const without = address === "" ? line : line.replaceAll(new RegExp(RegExp.escape(address), "gi"), "…");
  return without.length > MAX_REPLY_LENGTH ? `${without.slice(0, MAX_REPLY_LENGTH - 1)}…` : without;
}

/** What nodemailer says of a failure. */
interface Failure {
  code?: string;
  originalCode?: string;
  response?: string;
  responseCode?: number;
  command?: string;
  message?: string;
}

/** It wants a login, or another one: that is not about the message. */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);

export function outcomeOf(error: unknown, { hasBegun }: Attempted, address: string): Sent {
  const failure = (error ?? {}) as Failure;
  const { code, responseCode } = failure;
  const isAboutMessage = code === "EENVELOPE" || code === "EMESSAGE";
  const reply = plainReply(isAboutMessage && responseCode ? String(failure.response) : whyNot(error), address);
  if (responseCode) {
    // 503: the session is out of step, and a new one may take it.
    const isFinal = responseCode >= 500 && responseCode !== 503 && !LOGIN_REPLIES.has(responseCode);
    const state = isAboutMessage && isFinal ? "FAILED" : "DEFERRED";
    const isUnknown = state === "FAILED" && failure.command === "RCPT TO" && isUnknownAddress(reply);
    return { state, reply, isOfRelay: !isAboutMessage, isUnknownAddress: isUnknown };
  }
  if (hasBegun()) return { state: "UNCERTAIN", reply, isOfRelay: false };
  return { state: isAboutMessage ? "FAILED" : "DEFERRED", reply, isOfRelay: !isAboutMessage };
}

/**
 * Enhanced status codes (RFC 3463, RFC 7505) of addresses that will never take mail: there is no such mailbox, or no such domain, it is no address,
 * it has moved, it is disabled, its domain takes no mail, or has no machine that does (5.4.4). Others are about the message, or about the sender, or pass.
 */
const UNKNOWN_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1|4\.4)\b/;
const ENHANCED = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** What receivers say that have no such codes. */
const UNKNOWN_WORDS =
  /\b(?:no such (?:user|mailbox|recipient|address)|(?:user|mailbox|recipient|address) (?:is )?(?:unknown|not found)|unknown (?:user|mailbox|recipient|address)|does not exist)\b/i;

/** Whether a final refusal says that nobody has the address. */
export function isUnknownAddress(reply: string): boolean {
  return ENHANCED.test(reply) ? UNKNOWN_ADDRESS.test(reply) : UNKNOWN_WORDS.test(reply);
}

const SENTENCES: [pattern: RegExp, sentence: string][] = [
  [/EAUTH|ENOAUTH/, "The relay refuses the user or the password in SMTP_URL"],
  [/EDNS|ENOTFOUND|EAI_AGAIN/, "The name of the relay in SMTP_URL is not known"],
  [/ECONNREFUSED/, "Nothing listens where SMTP_URL says"],
  [/EHOSTUNREACH|ENETUNREACH/, "There is no way to the relay in SMTP_URL"],
  [/ALTNAME/, "The certificate of the relay is for another name than that in SMTP_URL"],
  [/CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/, "The certificate of the relay is not valid now"],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    "The certificate of the relay is not to be trusted; if it is of an authority of your own, NODE_EXTRA_CA_CERTS names its file",
  ],
  [
    /ETLS|ERR_SSL|EPROTO$/,
    "The relay does not speak TLS as it should: is the port in SMTP_URL right (smtps:// for 465, smtp:// for 587)?",
  ],
  [/ETIMEDOUT|EABORT/, "The relay did not answer in time"],
  [/EENVELOPE/, "This can't be an address for mail"],
  [/ECONNECTION|ESOCKET|ECONNRESET|EPIPE/, "The relay ended the connection"],
  [/EPROTOCOL/, "What answers at SMTP_URL is no mail relay"],
];

/** A failure as a sentence for operators. It has no secret. */
export function whyNot(error: unknown): string {
  const { code = "", originalCode = "", response, message = "" } = (error ?? {}) as Failure;
  const of = (text: string) => SENTENCES.find(([pattern]) => pattern.test(text))?.[1];
  const cause = error instanceof Error && error.cause instanceof Error ? String((error.cause as Failure).code) : "";
  const sentence =
    of(originalCode) ??
    of(cause) ??
    (/STARTTLS/i.test(message) ? of("ETLS") : of(code)) ??
    "The relay could not be used";
  return response ? `${sentence}: ${response.replaceAll(/\s+/g, " ").trim()}` : `${sentence}.`;
}
