// Why a bucket can't be used: what its store has answered, or what the network says. And what is tried again.

import { setTimeout as pause } from "node:timers/promises";
import type { BucketAddress } from "../../base/settings/bucket.ts";

export const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;

/** The end of a sentence that begins with the address. It has no keys, nor what the store makes of them. */
export function reasonOf({ bucket, endpoint, region }: BucketAddress, doing: string, error: unknown): string {
  const { origin } = new URL(endpoint);
  const refusal = refusalOf(error);
  if (!refusal) return `can't be reached at ${origin}: ${codeOf(error)}.`;
  const { status, code } = refusal;
  const answered = `can't be used (${doing}): it answered ${[status, code].filter(Boolean).join(" ")}`;
  if (code === "ExpiredToken" || code === "InvalidToken")
    return `${answered}. Its keys were given for a time that is over: look at AWS_SESSION_TOKEN.`;
  if (code === "InvalidAccessKeyId" || code === "SignatureDoesNotMatch")
    return `${answered}. Its keys are wrong: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  if (code === "NoSuchBucket") return `${answered}. There is no bucket ${bucket} at ${origin}.`;
  if (status === 301 || code === "AuthorizationHeaderMalformed")
    return `${answered}. The bucket may be in another region than ${region}: add ?region=… to the address.`;
  if (status === 403) return `${answered}. The keys do not allow it, or the clock of this machine is wrong.`;
  return `${answered}.`;
}

export class Refused extends Error {
  readonly status: number;
  readonly serviceCode: string;

  constructor(status: number, serviceCode: string) {
    super(serviceCode);
    this.status = status;
    this.serviceCode = serviceCode;
  }
}

/** What the store has answered; undefined: it has not. */
export function refusalOf(error: unknown): { status: number; code: string } | undefined {
  const { status, serviceCode, body } = error as { status?: unknown; serviceCode?: string; body?: string };
  if (typeof status !== "number") return undefined;
  const [, inBody] = /<Code>(\w{1,60})<\/Code>/.exec(body ?? "") ?? [];
  return { status, code: inBody ?? serviceCode ?? "" };
}

/** The innermost reason is what the network says. */
function codeOf(error: unknown): string {
  const { code, cause, message, errors } = error as NodeJS.ErrnoException & { cause?: unknown; errors?: unknown[] };
  if (cause instanceof Error) return codeOf(cause);
  return code ?? (errors?.[0] instanceof Error ? codeOf(errors[0]) : message);
}

/** A file of this machine could not be read or written. */
export function isOfFile(error: unknown): boolean {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  // A firewall may refuse a connection with the code of a file.
  return OF_FILES.has(code) && syscall !== "connect";
}

const OF_FILES = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EACCES",
  "EPERM",
  "ENOENT",
  "EEXIST",
  "EMFILE",
  "ENFILE",
]);

/** Tries again what the network or the store has failed at for the moment. */
export function withAttempts(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await fetch(url, init);
        if (attempt === ATTEMPTS || (reply.status < 500 && reply.status !== 429)) return reply;
        await reply.arrayBuffer();
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  };
}
