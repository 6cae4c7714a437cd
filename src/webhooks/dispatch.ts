// Finds what is to be sent, and hands it to the carrier. The workspaces' stores are the only truth: what the carrier loses
// is found again.

import { stat } from "node:fs/promises";
import type { Control } from "../../db/control.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Log } from "../base/log.ts";
import { isInService, listNoted } from "../workspaces/noted.ts";
import { type Backlog, findBacklog, NO_BACKLOG } from "./backlog.ts";
import { findDue } from "./claim.ts";
import type { ConnectionOptions } from "./connections.ts";
import { Courier, type Ticket } from "./courier.ts";
import { fanOut, isLagging } from "./fan-out.ts";
import { WEBHOOK_NOTES } from "./noted.ts";

/** Brings tickets to the processes that send: one for each endpoint that something is due for. */
export interface TicketCarrier {
  /** From now on `run` gets tickets. */
  start(run: (ticket: Ticket) => Promise<void>): void;
  /** Hands over a ticket, which may have been handed over already. Rejects when that is not possible now. */
  deliver(ticket: Ticket): Promise<void>;
  /** Takes no more tickets. */
  close(): Promise<void>;
}

const TICK_MS = 500;
/** A look makes deliveries of what has happened: many at once cost less than one by one. */
const LOOK_PAUSE_MS = 100;
/** A store that seems unchanged is looked at all the same after this time. */
const LOOK_ANYWAY_MS = 60_000;
/** The times of files may be as coarse as this. */
const SETTLED_MS = 1000;
/** How many transactions make deliveries before the made ones are sent. */
const MAX_STEPS = 20;
const LOCK_WAIT_MS = 5000;

/** What is known of a workspace since it was last looked at. */
interface Look {
  /** What its files looked like before. undefined: they had just been written, perhaps not for the last time. */
  stamp: string | undefined;
  /** By the monotonic clock. */
  at: number;
  /** When something is due, in ms since 1970. */
  nextAt: number;
  backlog: Backlog;
}

interface WebhookOptions {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  /** undefined: other processes send. */
  carrier: TicketCarrier | undefined;
  sending: ConnectionOptions;
  /** How many messages of this process may be on their way at the same time. */
  maxUnderWay: number;
  /** Whether somebody asks for the backlog: it is counted at each look. */
  countsBacklog: boolean;
}

/** Sends the events of all workspaces, in a process that sends. */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #courier: Courier;
  readonly #looks = new Map<string, Look>();
  readonly #kicked = new Set<string>();
  readonly #looking = new Map<string, { isAsked: boolean }>();
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #closed = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
    const { reader } = options.control;
    this.#courier = new Courier({ ...options, maySend: (workspace) => isInService(reader, workspace) });
  }

  start(): void {
    const { carrier } = this.#options;
    if (!carrier) return;
    carrier.start(async (ticket) => {
      // More may have happened meanwhile. What could not be taken is looked for at the next tick.
      if (await this.#courier.run(ticket)) this.kick(ticket.workspace);
    });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  /** Looks at one workspace now, or a moment later: what happens until then is sent together. Call it after something has become due. */
  kick(workspace: string): void {
    if (!this.#timer || this.#closed || this.#kicked.has(workspace)) return;
    const pause = (this.#looks.get(workspace)?.at ?? 0) + LOOK_PAUSE_MS - performance.now();
    const look = () => {
      this.#kicked.delete(workspace);
      if (!this.#closed) this.#look(workspace, undefined);
    };
    if (pause > 0) {
      this.#kicked.add(workspace);
      setTimeout(look, pause).unref();
    } else look();
  }

  /** Whether this process sends. */
  get sends(): boolean {
    return this.#options.carrier !== undefined;
  }

  /** What waits in all workspaces, as it was when each was last looked at. Nothing, unless it is counted. */
  backlog(): Backlog {
    const sum = { ...NO_BACKLOG };
    for (const { backlog } of this.#looks.values()) {
      sum.count += backlog.count;
      sum.oldestAt = Math.min(sum.oldestAt, backlog.oldestAt);
      sum.dueAt = Math.min(sum.dueAt, backlog.dueAt);
    }
    return sum;
  }

  /** Waits up to `graceMs` for what is being sent. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#options.carrier?.close();
    await this.#courier.close(graceMs);
  }

  #tick(): void {
    this.#ticking ??= this.#lookAtAll()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#ticking = undefined;
      });
  }

  async #lookAtAll(): Promise<void> {
    const noted = listNoted(this.#options.control.reader, WEBHOOK_NOTES);
    for (const known of this.#looks.keys()) if (!noted.includes(known)) this.#looks.delete(known);
    for (const workspace of noted) {
      if (this.#closed) return;
      const stamp = await this.#stamp(workspace);
      const look = this.#looks.get(workspace);
      const isQuiet = look?.stamp !== undefined && look.stamp === stamp && Date.now() < look.nextAt;
      // Not awaited: a store that is locked must not hold up the others.
      if (!isQuiet || performance.now() - look.at > LOOK_ANYWAY_MS) this.#look(workspace, stamp);
    }
  }

  /** What the store's files look like: it changes with every commit, of any process. undefined: it may not show the next one. */
  async #stamp(workspace: string): Promise<string | undefined> {
    const path = this.#options.workspaces.path(workspace);
    const files = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
    const latest = Math.max(...files.map((file) => file?.mtimeMs ?? 0));
    if (Date.now() - latest < SETTLED_MS) return undefined;
    return files.map((file) => `${file?.ino}/${file?.mtimeMs}/${file?.size}`).join();
  }

  /** Looks at a workspace, one at a time. Never rejects. */
  async #look(workspace: string, stamp: string | undefined): Promise<void> {
    const looking = this.#looking.get(workspace);
    if (looking) {
      looking.isAsked = true;
      return;
    }
    const mine = { isAsked: false };
    this.#looking.set(workspace, mine);
    try {
      do {
        mine.isAsked = false;
        const nextAt = await this.#dispatch(workspace);
        const { workspaces, countsBacklog } = this.#options;
        const backlog = countsBacklog ? workspaces.read(workspace, findBacklog) : NO_BACKLOG;
        this.#looks.set(workspace, { stamp, at: performance.now(), nextAt, backlog });
      } while (mine.isAsked && !this.#closed);
    } catch (error) {
      this.#looks.delete(workspace);
      this.#fail(error, workspace);
    } finally {
      this.#looking.delete(workspace);
    }
  }

  /** Makes deliveries of new events, and hands over what is due. @returns when something is due next, in ms since 1970 */
  async #dispatch(workspace: string): Promise<number> {
    const { workspaces, carrier } = this.#options;
    for (let step = 0; step < MAX_STEPS && workspaces.read(workspace, isLagging); step++)
      await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => fanOut(db, Date.now()));
    const { uids, nextAt } = workspaces.read(workspace, (db) => findDue(db, Date.now()));
    for (const endpoint of uids) {
      // A carrier that can't take it now says so itself; the next look tries again.
      if (!this.#closed) await carrier!.deliver({ workspace, endpoint }).catch(() => {});
    }
    return workspaces.read(workspace, isLagging) ? 0 : nextAt;
  }

  #fail(error: unknown, workspace?: string): void {
    // The next look tries again.
    if (isTransient(error) || this.#closed) return;
    this.#options.log.error({ err: error, ...(workspace && { workspace }) }, "webhooks failed");
  }
}
