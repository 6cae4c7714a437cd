// Makes attempts: claims one in the store, sends it, records how it went. The store is never locked while it is sent.

import { setTimeout as sleep } from "node:timers/promises";
import type { Workspaces } from "../../db/workspaces.ts";
import { isTransient } from "../../db/write.ts";
import type { Log } from "../log.ts";
import { type Claimed, claim, record } from "./attempt.ts";
import { type SendOptions, send } from "./send.ts";

/** What is to be sent: ids, nothing else. */
export interface Ticket {
  workspace: string;
  delivery: string;
}

/** How long an attempt waits for the store's lock, each time. */
const LOCK_WAIT_MS = 5000;
const RECORD_TRIES = 10;

export class Courier {
  readonly #workspaces: Workspaces;
  readonly #log: Log;
  readonly #options: SendOptions;
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #maxUnderWay: number;
  #closing = false;

  constructor(workspaces: Workspaces, log: Log, options: SendOptions, maxUnderWay: number) {
    this.#workspaces = workspaces;
    this.#log = log;
    this.#options = options;
    this.#maxUnderWay = maxUnderWay;
  }

  /**
   * Makes an attempt, if it is due and this process has none of it under way. Never rejects: a later look finds it.
   * @returns whether an attempt was made
   */
  async run({ workspace, delivery }: Ticket): Promise<boolean> {
    if (this.#closing || this.#underWay.has(delivery) || this.#underWay.size >= this.#maxUnderWay) return false;
    const run = this.#run(workspace, delivery)
      .catch((error: unknown) => {
        if (!isTransient(error) && !this.#closing)
          this.#log.error({ err: error, workspace, webhookDelivery: delivery }, "webhook failed");
        return false;
      })
      .finally(() => this.#underWay.delete(delivery));
    this.#underWay.set(delivery, run);
    return run;
  }

  /** Takes nothing more, and waits up to `graceMs` for what is under way. The rest is sent again when its claim has ended. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    await Promise.race([Promise.all(this.#underWay.values()), sleep(graceMs, undefined, { ref: false })]);
  }

  async #run(workspace: string, delivery: string): Promise<boolean> {
    const claimed = await this.#workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
      claim(db, delivery, Date.now()),
    );
    if (!claimed) return false;
    const sent = await send(claimed.message, this.#options);
    const { endpointUid: webhookEndpoint } = claimed;
    const { status, error, ms } = sent;
    this.#log.info({ workspace, webhookEndpoint, webhookDelivery: delivery, status, error, ms }, "webhook");
    await this.#record(workspace, claimed, sent);
    return true;
  }

  /** A store that is locked for long must not let a message be sent twice. */
  async #record(workspace: string, claimed: Claimed, sent: Parameters<typeof record>[2]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
          record(db, claimed, sent, Date.now()),
        );
      } catch (error) {
        if (!isTransient(error) || tries === RECORD_TRIES) throw error;
        await sleep(tries * 10, undefined, { ref: false });
      }
    }
  }
}
