// Sends what is due to one endpoint, until nothing is. Claims and results are written many at once: a transaction for each message
// would take longer than the message. The store is never locked while something is sent.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Log } from "../base/log.ts";
import { type Made, record } from "./attempt.ts";
import { type Claim, type Claimed, claim, isDue, type Prepared, prepare, release } from "./claim.ts";
import type { Connections } from "./connections.ts";
import { isTaken, send } from "./send.ts";

/** How many messages are on their way at first: a receiver that hangs holds no more. Each that is taken lets one more go. */
const FIRST_AT_ONCE = 2;

/** How many deliveries are claimed at first, and at most. A process that dies holds them up until their claims end. */
const FIRST_IN_HAND = 8;
const MAX_IN_HAND = 256;
/** How many results, and how many claims, are written at once. More would block the event loop. */
const MAX_WRITTEN = 100;

/** A round that was shorter has more in hand the next time; a longer one has less. */
const SHORT_ROUND_MS = 500;
const LONG_ROUND_MS = 2000;

/** A delivery that was claimed this long ago and is not sent is given back: its claim must not end while it is sent. */
const MAX_UNSENT_MS = 5000;

/** How long results wait for others, to be written with them. */
const LINGER_MS = 30;

/** While messages are on their way, it is looked so often whether more are due. */
const LOOK_EVERY_MS = 200;

/** How long a transaction waits for the store's lock, each time. */
const LOCK_WAIT_MS = 5000;
const RECORD_TRIES = 10;

/** The parts of the process that it uses. */
interface Means {
  workspaces: Workspaces;
  log: Log;
  connections: Connections;
  /** Whether the workspace is in service. */
  maySend(workspace: string): boolean;
  /** A process has a limit for the messages that are on their way. */
  takeSlot(): boolean;
  giveSlot(): void;
}

export class Sending {
  readonly #means: Means;
  readonly #workspace: string;
  readonly #endpoint: string;
  /** Names its claims. */
  readonly #name = randomUUID();
  #unsent: Claimed[] = [];
  #underWay = 0;
  #made: Made[] = [];
  #attempts = 0;
  #inHand = FIRST_IN_HAND;
  /** How many may be on their way. 0: nothing was claimed yet. */
  #atOnce = 0;
  #limit = 0;
  #isOrdered = false;
  /** The next one waits for what becomes of one that has failed. */
  #isHeld = false;
  #isStopped = false;
  #roundAt = performance.now();
  #wake: (() => void) | undefined;

  constructor(means: Means, workspace: string, endpoint: string) {
    this.#means = means;
    this.#workspace = workspace;
    this.#endpoint = endpoint;
  }

  /** @returns how many attempts were made */
  async run(): Promise<number> {
    for (;;) {
      await this.#writeRound();
      this.#sendMore();
      // Others of this process have all its slots.
      if (!this.#underWay && this.#unsent.length) this.#isStopped = true;
      else if (!this.#underWay && !this.#made.length) return this.#attempts;
      await this.#isWorthARound();
    }
  }

  /** Claims nothing more, and ends when what is on its way has been answered. */
  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  /** In one transaction: writes what was made, gives back what should not be sent, and claims more. */
  async #writeRound(): Promise<void> {
    const now = Date.now();
    const isLate = this.#unsent.some(({ at }) => now - at > MAX_UNSENT_MS);
    const given = this.#isHeld || this.#isStopped || isLate ? this.#unsent.splice(0) : [];
    this.#isHeld = false;
    // A store that is locked must not let a message be sent twice.
    for (let tries = 1; ; tries++) {
      const made = this.#made.slice(0, MAX_WRITTEN);
      try {
        const found = await this.#means.workspaces.writeWhenFree(this.#workspace, LOCK_WAIT_MS, (db) => {
          record(db, this.#endpoint, made, this.#name);
          release(db, given, this.#name, Date.now());
          if (this.#isStopped || !this.#means.maySend(this.#workspace)) return undefined;
          const room = this.#inHand - this.#unsent.length - this.#underWay;
          return claim(db, this.#endpoint, this.#name, Math.min(Math.max(room, 0), MAX_WRITTEN), Date.now());
        });
        this.#made.splice(0, made.length);
        if (found) this.#take(found);
        else this.#isStopped = true;
        return;
      } catch (error) {
        if (!made.length || !isTransient(error) || tries === RECORD_TRIES) throw error;
        await sleep(tries * 10, undefined, { ref: false });
      }
    }
  }

  #take({ claimed, atOnce, isOrdered, isFailing }: Claim): void {
    const now = performance.now();
    const ms = now - this.#roundAt;
    if (ms < SHORT_ROUND_MS && !this.#unsent.length) this.#inHand = Math.min(this.#inHand * 2, MAX_IN_HAND);
    if (ms > LONG_ROUND_MS) this.#inHand = Math.max(Math.floor(this.#inHand / 2), FIRST_IN_HAND);
    this.#roundAt = now;
    this.#isOrdered = isOrdered;
    this.#limit = atOnce;
    this.#atOnce = Math.min(this.#atOnce || (isFailing ? 1 : FIRST_AT_ONCE), atOnce);
    this.#unsent.push(...claimed);
  }

  #sendMore(): void {
    while (this.#unsent.length && this.#underWay < this.#atOnce && !this.#isHeld && !this.#isStopped) {
      if (!this.#means.takeSlot()) return;
      const claimed = this.#unsent.shift()!;
      const prepared = this.#prepare(claimed);
      if (!prepared) {
        this.#means.giveSlot();
        continue;
      }
      this.#underWay++;
      this.#attempts++;
      void this.#send(claimed, prepared);
    }
  }

  /** What is to be sent, as the store has it now: somebody may have been erased, or the workspace suspended, since it was claimed. */
  #prepare(claimed: Claimed): Prepared | undefined {
    const { workspaces, maySend } = this.#means;
    try {
      if (maySend(this.#workspace))
        return workspaces.read(this.#workspace, (db) => prepare(db, claimed, this.#name, Date.now()));
    } catch {
      // The next round says what is wrong with the store.
    }
    this.#unsent.unshift(claimed);
    this.#isStopped = true;
    return undefined;
  }

  /** Never rejects. */
  async #send({ id, uid }: Claimed, { message, said }: Prepared): Promise<void> {
    const { log, connections, giveSlot } = this.#means;
    const sent = await send(message, connections);
    giveSlot();
    const { status, error, ms } = sent;
    const [workspace, webhookEndpoint] = [this.#workspace, this.#endpoint];
    log.info({ workspace, webhookEndpoint, webhookDelivery: uid, status, error, ms }, "webhook");
    this.#made.push({ id, sent, said, at: Date.now() });
    this.#underWay--;
    if (isTaken(sent)) this.#atOnce = Math.min(this.#atOnce + 1, this.#limit);
    else {
      this.#atOnce = Math.max(Math.floor(this.#atOnce / 2), 1);
      this.#isHeld = this.#isOrdered;
    }
    this.#sendMore();
    this.#wake?.();
  }

  /** Whether something is due that there is room for. */
  #hasMore(): boolean {
    if (this.#isStopped || this.#unsent.length || this.#underWay >= this.#atOnce) return false;
    try {
      return this.#means.workspaces.read(this.#workspace, (db) => isDue(db, this.#endpoint, Date.now()));
    } catch {
      // The next round says what is wrong with the store.
      return true;
    }
  }

  /** Resolves when there is enough to write, or something to write for long enough, or more to send while others take their time. */
  #isWorthARound(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(timer);
        clearInterval(looking);
        this.#wake = undefined;
        resolve();
      };
      const looking = setInterval(() => this.#hasMore() && end(), LOOK_EVERY_MS);
      this.#wake = () => {
        if (!this.#underWay || this.#isStopped || this.#made.length >= Math.min(this.#inHand / 2, MAX_WRITTEN))
          return end();
        if (this.#made.length) timer ??= setTimeout(end, LINGER_MS);
      };
      this.#wake();
    });
  }
}
