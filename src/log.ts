// The log: JSON lines on stdout. It has no personal data and no secrets, so bodies and queries are never logged.

import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

export function createLog(config: Config): Log {
  return pino(
    {
      level: config.logLevel,
      base: null,
      // No wildcards: they cost more than the rest of the line.
      redact: ["apiKey", "apiSecret", "accessToken", "authorization", "cookie", "headers"],
    },
    pino.destination({ dest: 1, sync: false }),
  );
}
