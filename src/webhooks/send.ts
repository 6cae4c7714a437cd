// Sends one message to a receiver, and reads the beginning of its answer. Whatever the receiver does, it ends in time.

import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { AddressRefused, addressesOf, isPublic, literalAddress, type Resolve } from "./address.ts";
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

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface SendOptions {
  resolve: Resolve;
  allowsPrivate: boolean;
  /** Default: 15 s for the whole attempt. */
  maxMs?: number;
}

const MAX_MS = 15_000;
const MAX_ANSWER_BYTES = 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** Whether the receiver has taken the message. A redirect is not followed, so it is a failure. */
export function isTaken({ status }: Sent): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends a message. Never rejects. */
export async function send(message: Message, { maxMs = MAX_MS, ...options }: SendOptions): Promise<Sent> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(maxMs);
  const sent = { status: null, error: null, answer: null, retryAfterMs: undefined };
  const ms = () => Math.round(performance.now() - started);
  try {
    const response = await post(message, options, timeout);
    const answer = await readAnswer(response);
    const retryAfterMs = readRetryAfter(response.headers["retry-after"], Date.now());
    return { ...sent, status: response.statusCode!, answer, retryAfterMs, ms: ms() };
  } catch (error) {
    return { ...sent, error: timeout.aborted ? `no answer within ${maxMs} ms` : reasonOf(error), ms: ms() };
  }
}

/** Resolves with the head of the answer. */
function post(
  { url: text, headers, body }: Message,
  { resolve, allowsPrivate }: SendOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(text);
  const literal = literalAddress(url);
  if (literal !== undefined && !allowsPrivate && !isPublic(literal)) return Promise.reject(new AddressRefused());
  // The connection goes to the addresses that were checked: the name is not asked for again.
  const lookup: LookupFunction = (hostname, { all }, found) => {
    addressesOf(hostname, resolve, allowsPrivate).then(
      (addresses) => (all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => found(error, ""),
    );
  };
  return new Promise((settle, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: "POST",
      agent: false,
      lookup,
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "screening-service-webhooks",
      },
    });
    request.once("response", settle);
    // Later errors are those of the answer.
    request.on("error", reject);
    request.end(body);
  });
}

/** The beginning of an answer. It may be cut off: its status has come, and that is what counts. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The receiver has broken off, or takes too long.
  } finally {
    response.destroy();
  }
  const read = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
  // As a stream, so that a character that is cut in two is left out.
  return new TextDecoder().decode(read, { stream: true }).replaceAll("\0", "\ufffd");
}

/** Why there is no answer, without what a caller should not learn of our network. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ADDRESS_REFUSED") return "the address of the receiver is not public";
  const known: Record<string, string> = {
    ENOTFOUND: "the name of the receiver is not known",
    ENODATA: "the name of the receiver is not known",
    ECONNREFUSED: "the receiver refuses connections",
    ECONNRESET: "the receiver has broken off the connection",
    EPIPE: "the receiver has broken off the connection",
    HPE_HEADER_OVERFLOW: "the headers of the answer are too long",
  };
  // What OpenSSL says of certificates, and Node of their names.
  if (/CERT|SIGNATURE/.test(code)) return `the certificate of the receiver is not valid: ${code}`;
  return known[code] ?? `the message could not be sent${code && `: ${code}`}`;
}
