// X-Request-Id: connects a response with its log lines.

import { randomUUID } from "node:crypto";

/** The caller's id if it is short and plain, otherwise a new one. */
export function requestIdOf(header: string | undefined): string {
  return header && /^[\w.:/=+@-]{1,128}$/.test(header) ? header : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
