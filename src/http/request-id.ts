// X-Request-Id: what ties an answer to its log line.

import { randomUUID } from "node:crypto";

/** The caller's id when it is a sane one, else a new one. */
export function requestIdOf(header: string | undefined): string {
  return header && /^[\w.:/=+@-]{1,128}$/.test(header) ? header : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
