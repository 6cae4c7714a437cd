// Sends one message to a receiver, and reads the beginning of its answer. Whatever the receiver does, it ends in time.

import { type Answer, type Connections, isBrokenOff, type Message } from "./connections.ts";
import { readRetryAfter } from "./schedule.ts";

/** How an attempt went. */
export interface Sent {
  /** The receiver's HTTP status. null: there was none, and `error` says why. */
  status: number | null;
  error: string | null;
  /** The beginning of what the receiver has answered. */
  answer: string | null;
  ms: number;
  retryAfterMs: number | undefined;
}

/** For the whole attempt. */
const MAX_MS = 15_000;
const MAX_ANSWER_BYTES = 1024;

/** How much of an answer is read, so that the connection can be kept. What is longer is broken off. */
const MAX_READ_BYTES = 16 * 1024;

/** Whether the receiver has taken the message. A redirect is not followed, so it is a failure. */
export function isTaken({ status }: Sent): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends a message. Never rejects. */
export async function send(message: Message, connections: Connections, maxMs = MAX_MS): Promise<Sent> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(maxMs);
  const sent = { status: null, error: null, answer: null, retryAfterMs: undefined };
  const ms = () => Math.round(performance.now() - started);
  try {
    const { statusCode, retryAfter, answer } = await connections.post(message, timeout, readAnswer);
    return { ...sent, status: statusCode, answer, retryAfterMs: readRetryAfter(retryAfter, Date.now()), ms: ms() };
  } catch (error) {
    return { ...sent, error: timeout.aborted ? `no answer within ${maxMs} ms` : reasonOf(error), ms: ms() };
  }
}

/** The beginning of an answer. It may be cut off: its status has come, and that is what counts. */
async function readAnswer({ statusCode, headers, body }: Answer) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
    isWhole = bytes <= MAX_READ_BYTES;
  } catch {
    // The receiver has broken off, or takes too long.
  }
  const read = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
  // As a stream, so that a character that is cut in two is left out.
  const answer = new TextDecoder().decode(read, { stream: true }).replaceAll("\0", "\ufffd");
  const header = headers["retry-after"];
  return { result: { statusCode, retryAfter: Array.isArray(header) ? header[0] : header, answer }, isWhole };
}

/** Why there is no answer, without what a caller should not learn of our network. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ADDRESS_REFUSED") return "the address of the receiver is not public";
  if (isBrokenOff(error)) return "the receiver has broken off the connection";
  const known: Record<string, string> = {
    ENOTFOUND: "the name of the receiver is not known",
    ENODATA: "the name of the receiver is not known",
    ECONNREFUSED: "the receiver refuses connections",
    UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are too long",
    HPE_HEADER_OVERFLOW: "the headers of the answer are too long",
  };
  if (error instanceof Error && error.name === "HTTPParserError" && !known[code])
    return "the answer of the receiver is not HTTP";
  // What OpenSSL says of certificates, and Node of their names.
  if (/CERT|SIGNATURE/.test(code)) return `the certificate of the receiver is not valid: ${code}`;
  return known[code] ?? `the message could not be sent${code && `: ${code}`}`;
}
