// X-Request-Id and W3C traceparent: connect a response with its log lines, and with the lines of the caller's own systems.

import { randomUUID } from "node:crypto";

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
