// The log: JSON lines on stdout. It has no personal data and no secrets, so bodies and queries are never logged.
//
// Lines are written together, after 100 ms or 4 KiB: a crash may lose as much. What says an error is written at once.

import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

const BUFFERED_BYTES = 4096;
const FLUSH_EVERY_MS = 100;

type Destination = ReturnType<typeof pino.destination>;

const destinations = new WeakMap<Log, Destination>();

export function createLog(config: Config): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  });
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      // No wildcards: they cost more than the rest of the line.
      redact: ["apiKey", "apiSecret", "accessToken", "authorization", "cookie", "headers"],
      hooks: {
        logMethod(values, method, level) {
          method.apply(this, values);
          if (level >= pino.levels.values.error!) destination.flush();
        },
      },
    },
    destination,
  );
  destinations.set(log, destination);
  return log;
}

/** What the log says of a request. */
export interface RequestLine {
  method: string;
  route: string;
  status: number;
  ms: number;
  requestId: string;
  workspace: string | undefined;
  key: string | undefined;
  token: string | undefined;
  address: string | undefined;
  /** The response did not get to its end. */
  aborted: boolean;
}

/** Logs a request. By hand, because every request has this line: pino takes four times as long. */
export function logRequest(log: Log, line: RequestLine): void {
  if (!log.isLevelEnabled("info")) return;
  const { method, route, status, ms, requestId, workspace, key, token, address, aborted } = line;
  // Only an address can have characters that need an escape: a proxy may have written it. Methods are those of HTTP, request ids
  // are checked, and the rest is ours.
  destinations
    .get(log)!
    .write(
      `{"level":30,"time":${Date.now()},"method":"${method}","route":"${route}","status":${status},"ms":${ms},"requestId":"${requestId}"` +
        `${workspace ? `,"workspace":"${workspace}"` : ""}${key ? `,"key":"${key}"` : ""}${token ? `,"token":"${token}"` : ""}` +
        `${address ? `,"address":${JSON.stringify(address)}` : ""}${aborted ? ',"aborted":true' : ""},"msg":"request"}\n`,
    );
}
