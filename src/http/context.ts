// What requests use of the process that serves them.

import type { Control } from "../../db/control.ts";
import type { ListResult } from "../../db/list/items.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Config } from "../base/config.ts";
import type { FailureLimit } from "../base/failure-limit.ts";
import type { Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import type { Parsed } from "../base/parsed.ts";
import type { LongRead } from "../base/resource.ts";
import type { Turns } from "../base/turns.ts";
import type { SpoolBudget } from "../engine/files/spool-budget.ts";
import type { JobWaiter } from "../engine/ledger/wait.ts";
import type { Carrier, Dispatcher } from "../engine/threads/dispatch.ts";
import type { KeptAnswers } from "../engine/threads/kept-answers.ts";
import type { OneAtATime } from "../engine/threads/one-at-a-time.ts";
import type { Pool } from "../engine/threads/pool.ts";
import type { EventWaiter } from "../events/feed.ts";
import type { Views } from "../events/views.ts";
import type { Relay } from "../mail/relay/relay.ts";
import type { Credentials } from "../workspaces/credentials.ts";

/** What requests use of the process that serves them. */
export interface Context {
  config: Config;
  log: Log;
  control: Control;
  workspaces: Workspaces;
  /** The installation's id. It keeps installations apart that share one Redis. */
  installation: string;
  /** The name of the cell; null: it has none. */
  cell: string | null;
  pool: Pool;
  carrier: Carrier;
  dispatcher: Dispatcher;
  credentials: Credentials;
  /** The content of publications. */
  published: Parsed;
  waiter: JobWaiter;
  eventWaiter: EventWaiter;
  webhooks: {
    /** Sends what has become due in a workspace. */
    kick(workspaceUid: string): void;
  };
  /** Undefined: the service can't send mail. */
  mail:
    | {
        relay: Relay;
        /** Test mails, by workspace. */
        tests: FailureLimit;
        invitations: FailureLimit;
        bounced: {
          /** Counts what came back. */
          add(outcome: "BOUNCED_HARD" | "BOUNCED_SOFT" | "COMPLAINED"): void;
        };
        mailer: {
          /** Has what has become due in a workspace sent. */
          kick(workspaceUid: string): void;
        };
      }
    | undefined;
  failedLogins: FailureLimit;
  spoolBudget: SpoolBudget;
  /** Workspaces, and lists that are streamed at the same time, take turns. */
  turns: Turns;
  /** How much of people's data callers are shown page by page. */
  views: Views;
  /** What is wrong now. */
  findings: Findings;
  /** How many processes are alive that run jobs. */
  countWorkers(): number;
  /** Side tasks that would take all threads, or too much memory, run one after the other. */
  oneAtATime: OneAtATime;
  /** What threads have worked out, as long as it is right. */
  keptAnswers: KeptAnswers;
  /** Reads a list page in a thread; one at a time for each workspace. */
  readLongPage(workspaceUid: string, read: LongRead): Promise<ListResult>;
  isRetiring(): boolean;
}
