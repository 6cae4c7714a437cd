// The log: JSON lines on stdout. It has no personal data and no secrets, so bodies and queries are never logged.
//
// Lines are written together, after 100 ms or 3.5 KiB: a crash may lose as much. What says an error is written at once.

import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

const BUFFERED_BYTES = 3584;
/** How much a pipe takes as a whole: with longer writes, lines of several processes that share it could mix. */
const MAX_WRITE_BYTES = 4096;
const FLUSH_AFTER_MS = 100;

/** Where lines go. */
interface Destination {
  write(line: string): void;
  /** Has what was written go on at once. */
  flush(): void;
}

const destinations = new WeakMap<Log, Destination>();

export function createLog(config: Pick<Config, "logLevel">): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFERED_BYTES,
    maxWrite: MAX_WRITE_BYTES,
  });
  // Its own timer would write nothing, ten times a second, where nothing is logged.
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flushSoon = () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (waitingBytes <= 0) return;
      destination.flush();
      // What comes while it writes is not written with it.
      flushSoon();
    }, FLUSH_AFTER_MS).unref();
  };
  destination.on("write", (bytes: number) => {
    waitingBytes -= bytes;
  });
  const write = destination.write.bind(destination);
  destination.write = (line) => {
    waitingBytes += Buffer.byteLength(line);
    flushSoon();
    return write(line);
  };
  return createLogTo(destination, config);
}

/** The log of a thread, whose lines the process writes: `passOn`. */
export function createLogTo(destination: Destination, { logLevel }: Pick<Config, "logLevel">): Log {
  const log = pino(
    {
      level: logLevel,
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

/** Writes a line of a thread's log. Null: has what was written go on at once. */
export function passOn(log: Log, line: string | null): void {
  const destination = destinations.get(log)!;
  if (line === null) destination.flush();
  else destination.write(line);
}

/** What the log says of a request. */
interface RequestLine {
  /** Supervisors and proxies ask whether the process is alive several times a second: that is nothing to read at `info`. */
  level: "info" | "debug";
  method: string;
  route: string;
  status: number;
  ms: number;
  requestId: string;
  traceId: string | undefined;
  workspace: string | undefined;
  key: string | undefined;
  token: string | undefined;
  address: string | undefined;
  /** The response did not get to its end. */
  aborted: boolean;
}

/** Logs a request. By hand, because every request has this line: pino takes four times as long. */
export function logRequest(log: Log, line: RequestLine): void {
  const { level, method, route, status, ms, requestId, traceId, workspace, key, token, address, aborted } = line;
  if (!log.isLevelEnabled(level)) return;
  // Only an address can have characters that need an escape: a proxy may have written it. Methods are those of HTTP, the ids of
  // requests and traces are checked, and the rest is ours.
  destinations
    .get(log)!
    .write(
      `{"level":${pino.levels.values[level]},"time":${Date.now()},"method":"${method}","route":"${route}","status":${status},"ms":${ms},"requestId":"${requestId}"` +
        `${traceId ? `,"traceId":"${traceId}"` : ""}${workspace ? `,"workspace":"${workspace}"` : ""}${key ? `,"key":"${key}"` : ""}${token ? `,"token":"${token}"` : ""}` +
        `${address ? `,"address":${JSON.stringify(address)}` : ""}${aborted ? ',"aborted":true' : ""},"msg":"request"}\n`,
    );
}
