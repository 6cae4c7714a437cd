// Puts together what a process sends webhooks with: within itself, or with other processes through Redis.

import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Config } from "../base/config.ts";
import type { Log } from "../base/log.ts";
import { isPublic, nameServers, systemNames } from "./address.ts";
import type { Ticket } from "./courier.ts";
import { type TicketCarrier, Webhooks } from "./dispatch.ts";

interface Process {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  installation: string;
  /** Of jobs. With Redis, a process without them sends nothing either. */
  threads: number;
  maxUnderWay: number;
}

export async function openWebhooks(config: Config, { installation, threads, ...process }: Process): Promise<Webhooks> {
  const { redisUrl, metricsPort, webhookAllowPrivate: allowsPrivate } = config;
  const redis = async () => {
    if (!threads) return undefined;
    const { bullmqTickets } = await import("../engine/carriers/webhooks.ts");
    return bullmqTickets(redisUrl!, installation, process.maxUnderWay);
  };
  const carrier = redisUrl ? await redis() : withinProcess();
  const sending = allowsPrivate
    ? { isAllowed: () => true, resolve: systemNames }
    : { isAllowed: isPublic, resolve: nameServers() };
  return new Webhooks({ ...process, carrier, sending, countsBacklog: metricsPort !== undefined });
}

/** Carries tickets within the process. */
function withinProcess(): TicketCarrier {
  let take = async (_: Ticket) => {};
  return {
    start(run) {
      take = run;
    },
    async deliver(ticket) {
      take(ticket);
    },
    async close() {
      take = async () => {};
    },
  };
}
