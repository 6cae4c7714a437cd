// Puts together what a process has for mail.

import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Config } from "../base/config.ts";
import { FailureLimit } from "../base/failure-limit.ts";
import type { Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { Bounced } from "./bounced.ts";
import { type MailCarrier, Mailer, type MailTaker } from "./mailer.ts";
import { Relay } from "./relay/relay.ts";
import { SenderThread } from "./sender-thread.ts";

interface Process {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  findings: Findings;
  /** The name of the process's lock file. */
  sender: string;
  cell: string | null;
  installation: string;
  /** Of jobs. With Redis, a process without them sends nothing that waits. */
  threads: number;
  /** How many stores each thread may keep open. */
  maxOpenStores: number;
  /** The WAL of a workspace's store has grown. */
  onGrown(workspace: string): void;
  /** Is notified of how long a transaction has held the lock of a workspace's store. */
  onHeld: ((ms: number) => void) | undefined;
}

/** Test mails that a workspace may send in an hour. */
const MAX_TESTS = 20;
/** Invitations of users that a workspace may send in an hour. */
const MAX_INVITATIONS = 50;
const HOUR_SECONDS = 3600;

/** How soon what is due by itself is found within a process. */
const TICK_MS = 500;

export interface Mail {
  relay: Relay;
  tests: FailureLimit;
  /** Of users. */
  invitations: FailureLimit;
  mailer: Mailer;
  bounced: Bounced;
  close(): Promise<void>;
}

/** Undefined: SMTP_URL is not set. */
export async function openMail(
  config: Config,
  { threads, installation, control, workspaces, ...process }: Process,
): Promise<Mail | undefined> {
  const { mail, redisUrl, dataDir, erasedDir, logLevel } = config;
  if (!mail) return undefined;
  const relay = new Relay(mail);
  const sends = redisUrl === undefined || threads > 0;
  const carrier = redisUrl
    ? (await import("../engine/carriers/mail.ts")).bullmqMail(redisUrl, installation)
    : withinProcess();
  const sender = new SenderThread({
    ...{ ...process, mail, dataDir, erasedDir, logLevel },
    // It is known when the service listens.
    publicUrl: () => config.publicUrl,
  });
  const mailer = new Mailer({ control, workspaces, log: process.log, carrier, sends, sender });
  process.findings.register(() => mailer.check());
  process.findings.register(() => mailer.attempts.check());
  return {
    ...{ relay, mailer, bounced: new Bounced() },
    tests: new FailureLimit("test-mails", MAX_TESTS, HOUR_SECONDS),
    invitations: new FailureLimit("invitations", MAX_INVITATIONS, HOUR_SECONDS),
    async close() {
      await mailer.close();
      await relay.close();
    },
  };
}

/** Brings workspaces within the process. What is due later the next look brings again. */
function withinProcess(): MailCarrier {
  let taker: MailTaker | undefined;
  const running = new Map<string, Promise<void>>();
  return {
    sweepMs: TICK_MS,
    start(one) {
      taker = one;
    },
    async deliver(workspace, at) {
      if (!taker || at > Date.now() || running.has(workspace)) return;
      const { run, ended } = taker;
      const ran = run(workspace)
        .finally(() => running.delete(workspace))
        .then(() => ended(workspace))
        .catch(() => {});
      running.set(workspace, ran);
    },
    async close() {
      taker = undefined;
      await Promise.all(running.values());
    },
  };
}
