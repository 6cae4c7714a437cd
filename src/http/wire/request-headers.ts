// Request headers of our own and of RFCs: Prefer (RFC 7240), Idempotency-Key and X-Action-Note, which go with writes; the version of the
// API that a caller asks for; and X-Request-Id and W3C traceparent, which connect a response with log lines, also of the caller's systems.

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isCleanText } from "../../base/clean-text.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { faultOfNote } from "../../events/record.ts";

interface Preference {
  /** How long to wait for the job. 0: don't wait. */
  waitSeconds: number;
  /** The value of Preference-Applied. Undefined when no preference was applied. */
  applied: string | undefined;
}

/** Whether members of the body that are not known are to be errors: `Prefer: handling=strict` (RFC 7240, 4.4). */
export function wantsStrict({ prefer }: IncomingHttpHeaders): boolean {
  return prefer !== undefined && /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?=$|[,;])/i.test(String(prefer));
}

export const MAX_WAIT_SECONDS = 300;

/** Reads `Prefer`. Preferences that are unknown or malformed are ignored (RFC 7240). */
export function readPreference(headers: IncomingHttpHeaders, defaultSeconds: number): Preference {
  const header = String(headers.prefer ?? "");
  if (!header) return { waitSeconds: defaultSeconds, applied: undefined };
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(header)?.[1];
  // `wait` with `respond-async` means: answer 202 after that time at the latest (RFC 7240, 4.3).
  if (wait !== undefined) {
    const waitSeconds = Math.min(Number(wait), MAX_WAIT_SECONDS);
    return { waitSeconds, applied: `wait=${waitSeconds}` };
  }
  if (/(?:^|[,;])\s*respond-async\s*(?=$|[,;])/i.test(header)) return { waitSeconds: 0, applied: "respond-async" };
  return { waitSeconds: defaultSeconds, applied: undefined };
}

/** Reads `Idempotency-Key`. @throws Problem 400 unless it has 1 to 255 characters */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  // Node decodes headers as latin1, so a key in UTF-8 looks different here. That is fine: keys are only compared.
  const key = String(header).trim();
  if (key.length < 1 || key.length > 255 || !isCleanText(key)) {
    throw invalidRequest([{ pointer: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
  }
  return key;
}

/** Reads `X-Action-Note`, which is UTF-8. @throws Problem 400 if it is longer than 500 characters, or not UTF-8 */
export function readNote(headers: IncomingHttpHeaders): string | null {
  const header = headers["x-action-note"];
  if (header === undefined) return null;
  const complain = (message: string) => invalidRequest([{ pointer: "X-Action-Note", message }]);
  let note: string;
  try {
    // Node decodes headers as latin1.
    note = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(String(header), "latin1")).trim();
  } catch {
    throw complain("must be UTF-8");
  }
  const fault = faultOfNote(note);
  if (fault !== undefined) throw complain(fault);
  return note || null;
}

/** Of the API. */
export const CURRENT_VERSION = "1.0.0";

/** Checks X-Service-Api-Version. @throws Problem 400 unless it is absent or any 1.x.y */
export function checkVersion(header: string | undefined): void {
  if (header === undefined || header === CURRENT_VERSION) return;
  if (/^1\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.test(header.trim())) return;
  throw new Problem("unsupported_api_version", {
    detail: `X-Service-Api-Version must be MAJOR.MINOR.PATCH. Every 1.x.y is supported; the current version is ${CURRENT_VERSION}.`,
    supportedVersions: [CURRENT_VERSION],
    errors: [{ pointer: "X-Service-Api-Version", message: "must be 1.x.y" }],
  });
}

/** What a valid traceparent names: a trace, and the step of the caller's that sent this request. */
interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  parentId: string;
}

/** Version, trace, parent, flags. Only after those of a later version may more follow (W3C Trace Context, 3.2 and 4.3). */
const TRACEPARENT =
  /^(?!ff)(?:00(?=.{53}$)|(?!00)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** What the header names; undefined when it is missing or not valid, and then it is ignored. */
export function traceOf(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== "string") return undefined;
  const [, traceId, parentId] = TRACEPARENT.exec(header) ?? [];
  return traceId && parentId ? { traceId, parentId } : undefined;
}

/** The caller's id if it is short and plain; else that of the caller's trace, so that one search finds both; else a new one. */
export function requestIdOf(header: string | undefined, trace: Trace | undefined): string {
  if (header && /^[\w.:/=+@-]{1,128}$/.test(header)) return header;
  return trace ? `${trace.traceId}-${trace.parentId}` : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
