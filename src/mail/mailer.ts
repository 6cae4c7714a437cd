// Sends what is due in all workspaces, in a process that sends. The workspaces' stores are the only truth: any number of processes may look at them,
// and each message is claimed in a transaction.

import type { Control } from "../../db/control.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Finding, Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { dropNote, isInService, listNoted } from "../workspaces/noted.ts";
import { suppressBounced } from "./bounced.ts";
import { type Prepare, type Prepared, preparing } from "./kinds.ts";
import { giveToBudget, MAIL_NOTES, takeFromBudget } from "./notes.ts";
import { type Backlog, drop, findBacklog, giveUpLost, listDue, markSending, NO_BACKLOG, recordSent } from "./outbox.ts";
import type { Sent } from "./relay/outcome.ts";
import type { Relay } from "./relay/relay.ts";

interface MailerOptions {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  findings: Findings;
  presence: Presence;
  relay: Relay;
  perMinute: number;
  publicUrl: string;
  cell: string | null;
  /** Whether this process sends. */
  sends: boolean;
}

const TICK_MS = 500;
/** At most so many become SENDING in one commit: a process that is killed leaves no more of them UNCERTAIN. */
const MAX_AT_ONCE = 20;
const LOCK_WAIT_MS = 5000;
const RECORD_TRIES = 10;
/** A message may be written so long after its workspace was noted. */
const NOTE_KEPT_MS = 5 * 60_000;
/** A relay that can't be reached is left alone for a while: longer and longer. */
const FIRST_PAUSE_MS = 5000;
const MAX_PAUSE_MS = 60_000;
const FAILING_AFTER_MS = 60_000;
const LATE_AFTER_MS = 15 * 60_000;

export class Mailer {
  readonly #options: MailerOptions;
  readonly #prepare: Prepare;
  readonly #backlogs = new Map<string, Backlog>();
  readonly #inHand = new Set<string>();
  /** What has become of attempts, for the metrics. */
  readonly sent = { SENT: 0, DEFERRED: 0, FAILED: 0, UNCERTAIN: 0 };
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #isAsked = false;
  #closed = false;
  #failing: { since: number; until: number; pauseMs: number } | undefined;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#prepare = preparing(options);
  }

  get sends(): boolean {
    return this.#options.sends;
  }

  start(): void {
    if (!this.sends) return;
    this.#timer = setInterval(() => this.kick(), TICK_MS).unref();
    this.kick();
  }

  /** Looks now. Call it after a message has become due. */
  kick(): void {
    if (!this.#timer || this.#closed) return;
    this.#isAsked = true;
    this.#ticking ??= this.#lookWhileAsked().finally(() => {
      this.#ticking = undefined;
    });
  }

  /** What waits in all workspaces, as it was when each was last looked at. */
  backlog(): Backlog {
    const sum = { ...NO_BACKLOG };
    for (const { waiting, dueAt, sending } of this.#backlogs.values()) {
      sum.waiting += waiting;
      sum.sending += sending;
      sum.dueAt = Math.min(sum.dueAt, dueAt);
    }
    return sum;
  }

  /** What is wrong with it. */
  check(): Finding | undefined {
    const { dueAt } = this.backlog();
    if (Date.now() - dueAt < LATE_AFTER_MS) return undefined;
    const message = `A message should have left at ${new Date(dueAt).toISOString()}.`;
    return { code: "mail_late", message, blocking: false };
  }

  /** Takes nothing more, and waits for what is under way: at most as long as the relay is waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#ticking;
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#closed) {
      this.#isAsked = false;
      try {
        await this.#lookAtAll();
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  async #lookAtAll(): Promise<void> {
    const noted = listNoted(this.#options.control.reader, MAIL_NOTES);
    for (const known of this.#backlogs.keys()) if (!noted.includes(known)) this.#backlogs.delete(known);
    for (const workspace of noted) {
      if (this.#closed) return;
      try {
        await this.#look(workspace);
      } catch (error) {
        this.#backlogs.delete(workspace);
        this.#fail(error, workspace);
      }
    }
  }

  async #look(workspace: string): Promise<void> {
    const { workspaces, control } = this.#options;
    const before = workspaces.read(workspace, findBacklog);
    if (before.sending) await this.#giveUpLost(workspace);
    const isDue = before.dueAt <= Date.now() && Date.now() >= (this.#failing?.until ?? 0);
    if (isDue && (await this.#sendSome(workspace))) this.#isAsked = true;
    const after = workspaces.read(workspace, findBacklog);
    this.#backlogs.set(workspace, after);
    if (!after.waiting && !after.sending)
      await whenFree(control.writer, LOCK_WAIT_MS, () =>
        dropNote(control.writer, MAIL_NOTES, workspace, Date.now() - NOTE_KEPT_MS),
      );
  }

  /** @returns whether there may be more */
  async #sendSome(workspace: string): Promise<boolean> {
    const { control, perMinute, workspaces, presence } = this.#options;
    const granted = await whenFree(control.writer, LOCK_WAIT_MS, () =>
      takeFromBudget(control.writer, MAX_AT_ONCE, perMinute, Date.now()),
    );
    if (!granted) return false;
    const claimed = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => {
      // Looked at in the transaction: a workspace that is suspended or moves sends nothing.
      if (!isInService(control.reader, workspace)) return [];
      const now = Date.now();
      return listDue(db, granted, now).flatMap((row) => {
        const prepared = this.#prepare(db, workspace, row);
        if ("dropped" in prepared) {
          drop(db, row.id, prepared.dropped, now);
          return [];
        }
        markSending(db, row.id, presence.name);
        this.#inHand.add(`${workspace} ${row.id}`);
        return [{ ...prepared, id: row.id, kind: row.kind, uid: row.uid }];
      });
    });
    if (claimed.length < granted)
      await whenFree(control.writer, LOCK_WAIT_MS, () => giveToBudget(control.writer, granted - claimed.length));
    await Promise.all(claimed.map((one) => this.#send(workspace, one)));
    return claimed.length === granted;
  }

  /** Never rejects. */
  async #send(
    workspace: string,
    { id, uid, kind, to, letter }: Prepared & { id: number; uid: string; kind: string },
  ): Promise<void> {
    const { relay, log } = this.#options;
    const since = performance.now();
    const sent = await relay.send({ ...letter, to, messageId: relay.messageId(uid) });
    const ms = Math.round(performance.now() - since);
    log.info({ workspace, message: uid, kind, state: sent.state, reply: sent.reply, ms }, "mail");
    this.#note(sent);
    if (sent.isUnknownAddress)
      await this.#suppress(workspace, to, sent).catch((error: unknown) => this.#fail(error, workspace));
    await this.#record(workspace, id, sent).catch((error: unknown) => this.#fail(error, workspace));
    this.#inHand.delete(`${workspace} ${id}`);
  }

  async #suppress(workspace: string, address: string, { reply }: Sent): Promise<void> {
    await this.#options.workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => suppressBounced(db, address, reply));
  }

  /** A store that is locked must not make a message uncertain. */
  async #record(workspace: string, id: number, sent: Sent): Promise<void> {
    const { workspaces, presence } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
          recordSent(db, id, presence.name, sent, Date.now()),
        );
        return;
      } catch (error) {
        if (!isTransient(error) || tries === RECORD_TRIES) throw error;
      }
    }
  }

  async #giveUpLost(workspace: string): Promise<void> {
    const { workspaces, presence, log } = this.#options;
    const isUnderWay = (id: number, sender: string) =>
      sender === presence.name ? this.#inHand.has(`${workspace} ${id}`) : presence.isAlive(sender);
    const count = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
      giveUpLost(db, isUnderWay, Date.now()),
    );
    this.sent.UNCERTAIN += count;
    if (count) log.warn({ workspace, count }, "mail is uncertain");
  }

  /** Whether the relay can be used. */
  #note({ state, isOfRelay, reply }: Sent): void {
    this.sent[state]++;
    const { findings } = this.#options;
    if (!isOfRelay) {
      this.#failing = undefined;
      findings.clear({ code: "mail_relay_fails" });
      return;
    }
    const now = Date.now();
    const { since = now, pauseMs = FIRST_PAUSE_MS } = this.#failing ?? {};
    this.#failing = { since, until: now + pauseMs, pauseMs: Math.min(2 * pauseMs, MAX_PAUSE_MS) };
    if (now - since >= FAILING_AFTER_MS)
      findings.report({ code: "mail_relay_fails", message: `No mail can be sent. ${reply}`, blocking: false });
  }

  #fail(error: unknown, workspace?: string): void {
    // The next look tries again.
    if (isTransient(error) || this.#closed) return;
    this.#options.log.error({ err: error, ...(workspace && { workspace }) }, "mail failed");
  }
}
