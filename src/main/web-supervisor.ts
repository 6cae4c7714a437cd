// The web process that has others serve the API, on all of a machine's processors: WEB_CONCURRENCY. It accepts connections, and hands
// them out in turn (node:cluster). One that dies is started again. It ends when they have ended.
//
// The system could hand connections out, too (SO_REUSEPORT). But few connections, such as a proxy's, it spreads unevenly; and what waits at a
// process that ends is lost.

import cluster, { type Worker } from "node:cluster";
import type { Config } from "../base/config.ts";
import { createLog } from "../base/log.ts";

/** How long to wait before a process is started again: the first time, and at most. It doubles while they die soon. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** A process that dies after this time has not died early. */
const LONG_MS = 60_000;

/** What one process after the other fills: the next one has the number, and the METRICS_PORT, of the one before. */
interface Slot {
  number: number;
  worker: Worker | undefined;
  /** Whether one of its processes has served. */
  hasServed: boolean;
  pauseMs: number;
  restart: NodeJS.Timeout | undefined;
}

/** What supervises, until it is asked to end: then it exits with 0, or with 1 if a process was killed or has failed. */
export function superviseWebs(config: Config): void {
  const log = createLog(config);
  const slots = Array.from({ length: config.webConcurrency }, (_, number): Slot => {
    return { number, worker: undefined, hasServed: false, pauseMs: FIRST_PAUSE_MS, restart: undefined };
  });
  let asked: NodeJS.Signals | undefined;
  let exitCode = 0;

  const start = (slot: Slot) => {
    cluster.setupPrimary({ args: [String(slot.number)] });
    const worker = cluster.fork();
    const startedAt = performance.now();
    slot.worker = worker;
    closeUntaken(worker);
    worker.once("message", () => {
      slot.hasServed = true;
      // One after the other: what is wrong is said once, and the first one migrates.
      const next = slots.find((other) => !other.hasServed);
      if (asked !== undefined) return;
      if (!next) log.info({ processes: slots.length }, "all web processes serve");
      else if (!next.worker) start(next);
    });
    worker.on("error", (err) => {
      log.warn({ process: slot.number, err }, "a web process could not be started or reached");
      // One that was never there does not end.
      if (worker.process.pid === undefined) ended(1, null);
    });
    const ended = (code: number | null, signal: string | null) => {
      slot.worker = undefined;
      if (asked !== undefined) {
        if (code !== 0 && signal !== asked) exitCode ||= code || 1;
        endIfAlone();
      } else if (!slot.hasServed) {
        // It has said why, if it could.
        if (signal) process.stderr.write(`A web process was killed while it started: ${signal}.\n`);
        exitCode = code || 1;
        end("SIGTERM");
      } else {
        const isSoon = performance.now() - startedAt < LONG_MS;
        const pauseMs = isSoon ? slot.pauseMs : FIRST_PAUSE_MS;
        slot.pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
        log.error(
          { process: slot.number, pid: worker.process.pid, code, signal, pauseMs },
          "a web process has ended, and is started again",
        );
        slot.restart = setTimeout(() => start(slot), pauseMs);
      }
    };
    worker.once("exit", ended);
  };
  const end = (signal: NodeJS.Signals) => {
    asked = signal;
    for (const { worker, restart } of slots) {
      clearTimeout(restart);
      // They know which signals are the same request to end.
      worker?.process.kill(signal);
    }
    endIfAlone();
  };
  const endIfAlone = () => {
    if (slots.some(({ worker }) => worker)) return;
    log.flush();
    process.exit(exitCode);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  start(slots[0]!);
}

/**
 * Closes the connection that a process was given and had not taken when it died. Node hands out the next one when the last one is
 * taken, and forgets that one: its client would wait for ever.
 */
function closeUntaken({ process: child }: Worker): void {
  const channel = child as unknown as { send: (...args: [message: object, handle?: { close(): void }]) => boolean };
  const send = channel.send.bind(child);
  let untaken: { close(): void } | undefined;
  channel.send = (message, handle, ...rest) => {
    untaken = handle ?? untaken;
    return send(message, handle, ...rest);
  };
  // Before Node's own listener, which hands out the next one.
  child.prependListener("internalMessage", (message: { accepted?: boolean }) => {
    if (message.accepted !== undefined) untaken = undefined;
  });
  child.once("exit", () => untaken?.close());
}
