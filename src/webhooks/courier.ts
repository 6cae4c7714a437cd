// What a process sends: to each endpoint that something is due for, until nothing is.

import { setTimeout as sleep } from "node:timers/promises";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Log } from "../base/log.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { Sending } from "./sending.ts";

/** What has something to be sent: ids, nothing else. */
export interface Ticket {
  workspace: string;
  endpoint: string;
}

interface Options {
  workspaces: Workspaces;
  log: Log;
  sending: ConnectionOptions;
  /** How many messages may be on their way. */
  maxUnderWay: number;
  /** Whether a workspace is in service. */
  maySend(workspace: string): boolean;
}

export class Courier {
  readonly #options: Options;
  readonly #connections: Connections;
  readonly #sendings = new Map<string, { sending: Sending; ended: Promise<boolean> }>();
  #slots: number;
  #closing = false;

  constructor(options: Options) {
    this.#options = options;
    this.#slots = options.maxUnderWay;
    this.#connections = new Connections({ maxOpen: options.maxUnderWay, ...options.sending });
  }

  /**
   * Sends what is due to an endpoint, unless this process does that already. Never rejects: a later look finds it.
   * @returns whether an attempt was made
   */
  async run({ workspace, endpoint }: Ticket): Promise<boolean> {
    if (this.#closing || this.#sendings.has(endpoint) || !this.#slots) return false;
    const { workspaces, log, maySend } = this.#options;
    const means = {
      workspaces,
      log,
      maySend,
      connections: this.#connections,
      takeSlot: () => this.#slots > 0 && this.#slots-- > 0,
      giveSlot: () => {
        this.#slots++;
      },
    };
    const sending = new Sending(means, workspace, endpoint);
    const ended = sending
      .run()
      .then((attempts) => attempts > 0)
      .catch((error: unknown) => {
        if (!isTransient(error) && !this.#closing)
          log.error({ err: error, workspace, webhookEndpoint: endpoint }, "webhook failed");
        return false;
      })
      .finally(() => this.#sendings.delete(endpoint));
    this.#sendings.set(endpoint, { sending, ended });
    return ended;
  }

  /** Takes nothing more, and waits up to `graceMs` for what is under way. The rest is sent again when its claim has ended. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const all = [...this.#sendings.values()];
    for (const { sending } of all) sending.stop();
    await Promise.race([Promise.all(all.map(({ ended }) => ended)), sleep(graceMs, undefined, { ref: false })]);
    this.#connections.close();
  }
}
