// Gives the messages of workspaces to the relay, in the thread of a process that is for this (workers/mail-thread.ts). Any number of processes may do
// that: each message is claimed in a transaction.

import type { Control } from "../../db/control.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { referenceKey } from "../base/references.ts";
import type { Inbound } from "../base/settings/mail.ts";
import { isInService } from "../workspaces/noted.ts";
import type { Attempts } from "./attempts.ts";
import { suppressFound } from "./bounced.ts";
import type { Claimed, MailingSender, ToWrite, Written } from "./claims.ts";
import { DomainPauses } from "./domains.ts";
import { FreeConnections } from "./free-connections.ts";
import { orLater, preparing } from "./kinds.ts";
import { budgetOpensAt, giveToBudget, LOCK_WAIT_MS, takeFromBudget } from "./notes.ts";
import {
  type Attempt,
  drop,
  findBacklog,
  giveUpLost,
  isAnyLost,
  listDue,
  markSending,
  NOT_WRITTEN,
  recordSent,
} from "./outbox.ts";
import { MAX_CONNECTIONS, type Relay } from "./relay/relay.ts";
import { RelayPause } from "./relay-pause.ts";
import { withReturns } from "./return-address.ts";

interface SenderOptions {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  attempts: Pick<Attempts, "note">;
  findings: Pick<Findings, "report" | "clear">;
  presence: Pick<Presence, "name" | "isAlive">;
  relay: Relay;
  perMinute: number;
  inbound: Inbound | undefined;
  publicUrl: string;
  cell: string | null;
  mailings: MailingSender;
  /** Writes out messages of a workspace, in their order. */
  write(workspaceUid: string, messages: ToWrite[]): Promise<Written[]>;
}

/** After this time a workspace makes room for others. */
const TURN_MS = 1000;
/** How many messages are taken at once out of what may leave in a minute. */
const MAX_TAKEN = 20;
const RECORD_TRIES = 10;

export class Sender {
  readonly #options: SenderOptions;
  readonly #prepare: ReturnType<typeof orLater>;
  readonly #inHand = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #turns = new Set<Promise<number>>();
  readonly #connections = new FreeConnections(MAX_CONNECTIONS);
  readonly #domains = new DomainPauses();
  readonly #relayPause: RelayPause;
  #budgetOpensAt = 0;
  #closed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#prepare = orLater(preparing(options), options);
    this.#relayPause = new RelayPause(options.findings);
  }

  /** Until when nothing leaves here: the relay can't be used, or as much has left as may in a minute. */
  get pausedUntil(): number {
    return Math.max(this.#relayPause.until, this.#budgetOpensAt);
  }

  /** Sends what is due of a workspace, for a while. @returns how long no process may send anything, in ms */
  turn(workspace: string): Promise<number> {
    const turn = this.#turn(workspace).finally(() => this.#turns.delete(turn));
    this.#turns.add(turn);
    return turn;
  }

  async #turn(workspace: string): Promise<number> {
    const { control, perMinute } = this.#options;
    const end = performance.now() + TURN_MS;
    let granted = 0;
    try {
      while (performance.now() < end && this.#mayLeave(workspace)) {
        granted ||= await whenFree(control.writer, LOCK_WAIT_MS, () =>
          takeFromBudget(control.writer, MAX_TAKEN, perMinute, Date.now()),
        );
        if (!granted) {
          this.#budgetOpensAt = budgetOpensAt(control.reader, perMinute, Date.now());
          return this.#budgetOpensAt - Date.now();
        }
        const count = await this.#sendSome(workspace, granted);
        if (!count) break;
        granted -= count;
      }
      return 0;
    } finally {
      if (granted) await whenFree(control.writer, LOCK_WAIT_MS, () => giveToBudget(control.writer, granted));
    }
  }

  /** Takes nothing more, and waits for what is under way: at most as long as the relay is waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    // A turn may have claimed messages that have not begun to leave.
    await Promise.allSettled(this.#turns);
    await Promise.all(this.#underWay);
  }

  /** Records what nobody knows any more, because the process that sent it has died. @returns whether there was something */
  async giveUpLost(workspace: string): Promise<boolean> {
    const { workspaces, presence, log } = this.#options;
    const isUnderWay = (id: number, sender: string) =>
      sender === presence.name ? this.#inHand.has(`${workspace} ${id}`) : presence.isAlive(sender);
    if (!workspaces.read(workspace, (db) => isAnyLost(db, isUnderWay))) return false;
    const count = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => {
      const lost = giveUpLost(db, isUnderWay, Date.now());
      for (const row of lost) this.#options.mailings.settle(db, row, Date.now());
      return lost.length;
    });
    this.#options.attempts.note("UNCERTAIN", count);
    if (count) log.warn({ workspace, count }, "mail is uncertain");
    return count > 0;
  }

  /** Whether something is due, and may leave. */
  #mayLeave(workspace: string): boolean {
    const { control, workspaces } = this.#options;
    if (this.#closed || Date.now() < this.#relayPause.until || !isInService(control.reader, workspace)) return false;
    return workspaces.read(workspace, findBacklog).dueAt <= Date.now();
  }

  /** Waits for a free connection. @returns how many have begun to leave */
  async #sendSome(workspace: string, max: number): Promise<number> {
    const { control, workspaces } = this.#options;
    const free = await this.#connections.take(max);
    let claimed: Claimed[] = [];
    try {
      claimed = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
        // Looked at in the transaction: a workspace that is suspended or moves sends nothing.
        !this.#closed && isInService(control.reader, workspace) ? this.#claim(db, workspace, free) : [],
      );
    } finally {
      this.#connections.give(free - claimed.length);
    }
    const { relay, write } = this.#options;
    const messages = claimed.map(({ to, unwritten, uid, returning }) => {
      return { to, unwritten, messageId: relay.messageId(uid), returning };
    });
    const written = claimed.length ? write(workspace, messages) : Promise.resolve([]);
    for (const [index, one] of claimed.entries()) {
      // Where one can't be written, the others are.
      const alone = () => write(workspace, [messages[index]!]).then(([own]) => own!);
      const own = written.then((all) => all[index]!, alone);
      const sending = this.#send(workspace, one, own).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
    return claimed.length;
  }

  /** Single messages first: somebody waits for them. */
  #claim(db: Writer, workspaceUid: string, max: number): Claimed[] {
    const { mailings, presence, inbound } = this.#options;
    const now = Date.now();
    const claimed: Claimed[] = listDue(db, max, now).flatMap((row) => {
      const prepared = this.#prepare(db, workspaceUid, row);
      if (!prepared) return [];
      if ("dropped" in prepared) {
        drop(db, row.id, prepared.dropped, now);
        return [];
      }
      markSending(db, row.id, { to: prepared.to, sender: presence.name, now });
      return [{ ...prepared, id: row.id, kind: row.kind, uid: row.uid }];
    });
    const pausedUntil = (address: string) => this.#domains.pausedUntil(address, now);
    const left = max - claimed.length;
    const claiming = { workspaceUid, max: left, now, sender: presence.name, pausedUntil };
    if (left > 0) claimed.push(...mailings.claim(db, claiming));
    for (const { id } of claimed) this.#inHand.add(`${workspaceUid} ${id}`);
    return inbound ? withReturns(claimed, inbound, { workspaceUid, key: referenceKey(db) }) : claimed;
  }

  /** Never rejects. */
  async #send(workspace: string, claimed: Claimed, written: Promise<Written>): Promise<void> {
    const { attempts, log } = this.#options;
    const { id, uid, kind, to } = claimed;
    const since = performance.now();
    const sent = await this.#attempt(workspace, claimed, written);
    const ms = Math.round(performance.now() - since);
    log.info({ workspace, message: uid, kind, state: sent.state, reply: sent.reply, ms }, "mail");
    attempts.note(sent.state);
    // One that could not be written says nothing of the relay, or of the receiver.
    if (sent.hash !== null) {
      this.#relayPause.note(sent);
      this.#domains.note(to, sent, Date.now());
    }
    const recording = this.#record(workspace, id, to, sent);
    // Writes come in turn: who claims the next message does so in the transaction that records this one, or later. One flush does for both.
    this.#connections.give(1);
    await recording.catch((error: unknown) => {
      if (!isTransient(error)) log.error({ err: error, workspace }, "mail failed");
    });
    this.#inHand.delete(`${workspace} ${id}`);
  }

  /** Never rejects. */
  async #attempt(workspace: string, { uid, to, returning }: Claimed, written: Promise<Written>): Promise<Attempt> {
    const { relay, log } = this.#options;
    try {
      const { composed, hash } = await written;
      return { ...(await relay.give({ to, returning, messageId: relay.messageId(uid), composed })), hash };
    } catch (error) {
      log.error({ err: error, workspace, message: uid }, "mail could not be written");
      return NOT_WRITTEN;
    }
  }

  /** A store that is locked must not make a message uncertain. */
  async #record(workspace: string, id: number, to: string, sent: Attempt): Promise<void> {
    const { workspaces, presence } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => {
          const row = recordSent(db, id, presence.name, sent, Date.now());
          if (row) this.#options.mailings.settle(db, row, Date.now());
          if (sent.isUnknownAddress) suppressFound(db, to, "BOUNCED", sent.reply);
        });
        return;
      } catch (error) {
        if (!isTransient(error) || tries === RECORD_TRIES) throw error;
      }
    }
  }
}
