// Sends what is due in all workspaces, in a process that sends. The workspaces' stores are the only truth: any number of processes may look at them,
// and each message is claimed in a transaction.

import type { Control } from "../../db/control.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Finding, Findings } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { referenceKey } from "../base/references.ts";
import type { Inbound } from "../base/settings/mail.ts";
import { dropNote, isInService, listNoted } from "../workspaces/noted.ts";
import { Attempts } from "./attempts.ts";
import { suppressBounced } from "./bounced.ts";
import type { Claimed, MailingSender } from "./claims.ts";
import { DomainPauses } from "./domains.ts";
import { type Prepare, preparing } from "./kinds.ts";
import { giveToBudget, MAIL_NOTES, takeFromBudget } from "./notes.ts";
import { type Backlog, drop, findBacklog, giveUpLost, listDue, markSending, recordSent, sumOf } from "./outbox.ts";
import type { Sent } from "./relay/outcome.ts";
import type { Relay } from "./relay/relay.ts";
import { RelayPause } from "./relay-pause.ts";
import { withReturns } from "./return-address.ts";

interface MailerOptions {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  findings: Findings;
  presence: Presence;
  relay: Relay;
  perMinute: number;
  inbound: Inbound | undefined;
  publicUrl: string;
  cell: string | null;
  mailings: MailingSender;
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
const LATE_AFTER_MS = 15 * 60_000;

export class Mailer {
  readonly #options: MailerOptions;
  readonly #prepare: Prepare;
  readonly #backlogs = new Map<string, Backlog>();
  readonly #inHand = new Set<string>();
  readonly #domains = new DomainPauses();
  readonly #relayPause: RelayPause;
  readonly attempts = new Attempts();
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #isAsked = false;
  #closed = false;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#prepare = preparing(options);
    this.#relayPause = new RelayPause(options.findings);
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
    return sumOf([...this.#backlogs.values()]);
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
    const hasSent = this.#mayLeave(before) && (await this.#sendSome(workspace));
    const after = workspaces.read(workspace, findBacklog);
    this.#backlogs.set(workspace, after);
    // What was claimed is over, so what is due now is more.
    if (hasSent && this.#mayLeave(after)) this.#isAsked = true;
    if (!after.waiting && !after.sending)
      await whenFree(control.writer, LOCK_WAIT_MS, () =>
        dropNote(control.writer, MAIL_NOTES, workspace, Date.now() - NOTE_KEPT_MS),
      );
  }

  /** Whether something is due, and the relay can be used. */
  #mayLeave({ dueAt }: Backlog): boolean {
    return dueAt <= Date.now() && Date.now() >= this.#relayPause.until;
  }

  /** @returns whether anything may leave now: no more than so many in a minute do */
  async #sendSome(workspace: string): Promise<boolean> {
    const { control, perMinute, workspaces } = this.#options;
    const granted = await whenFree(control.writer, LOCK_WAIT_MS, () =>
      takeFromBudget(control.writer, MAX_AT_ONCE, perMinute, Date.now()),
    );
    if (!granted) return false;
    const claimed = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
      // Looked at in the transaction: a workspace that is suspended or moves sends nothing.
      isInService(control.reader, workspace) ? this.#claim(db, workspace, granted) : [],
    );
    if (claimed.length < granted)
      await whenFree(control.writer, LOCK_WAIT_MS, () => giveToBudget(control.writer, granted - claimed.length));
    await Promise.all(claimed.map((one) => this.#send(workspace, one)));
    return true;
  }

  /** Single messages first: somebody waits for them. */
  #claim(db: Writer, workspaceUid: string, max: number): Claimed[] {
    const { mailings, presence, inbound } = this.#options;
    const now = Date.now();
    const claimed: Claimed[] = listDue(db, max, now).flatMap((row) => {
      const prepared = this.#prepare(db, workspaceUid, row);
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
  async #send(workspace: string, { id, uid, kind, to, letter, returning }: Claimed): Promise<void> {
    const { relay, log } = this.#options;
    const since = performance.now();
    const sent = await relay.send({ ...letter, to, returning, messageId: relay.messageId(uid) });
    const ms = Math.round(performance.now() - since);
    log.info({ workspace, message: uid, kind, state: sent.state, reply: sent.reply, ms }, "mail");
    this.attempts.note(sent.state);
    this.#relayPause.note(sent);
    this.#domains.note(to, sent, Date.now());
    await this.#record(workspace, id, to, sent).catch((error: unknown) => this.#fail(error, workspace));
    this.#inHand.delete(`${workspace} ${id}`);
  }

  /** A store that is locked must not make a message uncertain. */
  async #record(workspace: string, id: number, to: string, sent: Sent): Promise<void> {
    const { workspaces, presence } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => {
          const row = recordSent(db, id, presence.name, sent, Date.now());
          if (row) this.#options.mailings.settle(db, row, Date.now());
          if (sent.isUnknownAddress) suppressBounced(db, to, sent.reply);
        });
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
    const count = await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) => {
      const lost = giveUpLost(db, isUnderWay, Date.now());
      for (const row of lost) this.#options.mailings.settle(db, row, Date.now());
      return lost.length;
    });
    this.attempts.note("UNCERTAIN", count);
    if (count) log.warn({ workspace, count }, "mail is uncertain");
  }

  #fail(error: unknown, workspace?: string): void {
    // The next look tries again.
    if (isTransient(error) || this.#closed) return;
    this.#options.log.error({ err: error, ...(workspace && { workspace }) }, "mail failed");
  }
}
