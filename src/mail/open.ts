// Puts together what a process has for mail.

import type { Control } from "../../db/control.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Config } from "../base/config.ts";
import { FailureLimit } from "../base/failure-limit.ts";
import type { Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { Bounced } from "./bounced.ts";
import type { MailingSender } from "./claims.ts";
import { Mailer } from "./mailer.ts";
import { Relay } from "./relay/relay.ts";

interface Process {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  findings: Findings;
  presence: Presence;
  cell: string | null;
  mailings: MailingSender;
  /** Of jobs. With Redis, a process without them sends nothing that waits. */
  threads: number;
}

/** Test mails that a workspace may send in an hour. */
const MAX_TESTS = 20;
const HOUR_SECONDS = 3600;

export interface Mail {
  relay: Relay;
  tests: FailureLimit;
  mailer: Mailer;
  bounced: Bounced;
  close(): Promise<void>;
}

/** Undefined: SMTP_URL is not set. */
export function openMail({ mail, publicUrl, redisUrl }: Config, { threads, ...process }: Process): Mail | undefined {
  if (!mail) return undefined;
  const relay = new Relay(mail);
  const sends = redisUrl === undefined || threads > 0;
  const mailer = new Mailer({ ...process, relay, perMinute: mail.perMinute, inbound: mail.inbound, publicUrl, sends });
  process.findings.register(() => mailer.check());
  process.findings.register(() => mailer.attempts.check());
  return {
    ...{ relay, mailer, bounced: new Bounced() },
    tests: new FailureLimit("test-mails", MAX_TESTS, HOUR_SECONDS),
    async close() {
      await mailer.close();
      await relay.close();
    },
  };
}
