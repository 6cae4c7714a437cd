// Finds what is due in all workspaces, and hands it to the carrier. The workspaces' stores are the only truth: what the carrier loses is found again.

import { setImmediate } from "node:timers/promises";
import type { Control } from "../../db/control.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Finding } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import { dropNote, isInService, listNoted } from "../workspaces/noted.ts";
import { listWithNotices } from "../workspaces/noticed.ts";
import { LOCK_WAIT_MS, MAIL_NOTES, noteMail } from "./notes.ts";
import { hasNewNotices, writeNotices } from "./notices.ts";
import { type Backlog, findBacklog, sumOf } from "./outbox.ts";
import { mayComeLater, type SenderThread } from "./sender-thread.ts";

/** Brings workspaces with mail to the processes that send. */
export interface MailCarrier {
  /** How often a process looks for what was forgotten. */
  readonly sweepMs: number;
  /** From now on this process sends. */
  start(taker: MailTaker): void;
  /** Has a workspace looked at when the time has come, in ms since 1970; once, however often that is said. Rejects when that is not possible now. */
  deliver(workspace: string, at: number): Promise<void>;
  /** Brings no more. */
  close(): Promise<void>;
}

export interface MailTaker {
  /** Sends what is due of a workspace. @returns how long no process may send anything, in ms */
  run(workspace: string): Promise<number>;
  /** The workspace may be delivered again: `run` is over, and has not failed. */
  ended(workspace: string): void;
}

interface MailerOptions {
  control: Control;
  workspaces: Workspaces;
  log: Log;
  sender: SenderThread;
  carrier: MailCarrier;
  /** Whether this process sends. */
  sends: boolean;
}

/** A message may be written so long after its workspace was noted. */
const NOTE_KEPT_MS = 5 * 60_000;
const LATE_AFTER_MS = 15 * 60_000;

export class Mailer {
  readonly #options: MailerOptions;
  readonly #sender: SenderThread;
  readonly #backlogs = new Map<string, Backlog>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #closed = false;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#sender = options.sender;
  }

  get sends(): boolean {
    return this.#options.sends;
  }

  get attempts() {
    return this.#sender.attempts;
  }

  start(): void {
    const { carrier } = this.#options;
    if (!this.sends) return;
    carrier.start({
      run: (workspace) => this.#run(workspace),
      ended: (workspace) => void this.#lookAgain(workspace),
    });
    this.#timer = setInterval(() => this.sweep(), carrier.sweepMs).unref();
    this.sweep();
  }

  /** Has a workspace looked at now. Call it after a message has become due. */
  kick(workspace: string): void {
    this.#deliver(workspace, Date.now());
  }

  /** Looks at all workspaces. Call it after a job has ended, which may have written messages. */
  sweep(): void {
    if (!this.#timer || this.#closed) return;
    this.#sweeping ??= this.#lookAtAll()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#sweeping = undefined;
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

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#sweeping;
    await Promise.all([this.#options.carrier.close(), this.#sender.close()]);
  }

  /** Whom the carrier does not take now the next look hands over. */
  #deliver(workspace: string, at: number): void {
    if (!this.#closed) this.#options.carrier.deliver(workspace, at).catch(() => {});
  }

  async #run(workspace: string): Promise<number> {
    try {
      return await this.#sender.send(workspace);
    } catch (error) {
      this.#fail(error, workspace);
      throw error;
    }
  }

  async #lookAtAll(): Promise<void> {
    const { reader } = this.#options.control;
    const noted = new Set(listNoted(reader, MAIL_NOTES));
    for (const known of this.#backlogs.keys()) if (!noted.has(known)) this.#backlogs.delete(known);
    for (const workspace of new Set([...noted, ...listWithNotices(reader)])) {
      // To open a store holds the event loop for a moment, and there may be many: requests come between.
      await setImmediate();
      if (this.#closed) return;
      if (noted.has(workspace) || this.#hasNewNotices(workspace)) await this.#look(workspace);
    }
  }

  #hasNewNotices(workspace: string): boolean {
    try {
      return this.#options.workspaces.read(workspace, hasNewNotices);
    } catch (error) {
      this.#fail(error, workspace);
      return false;
    }
  }

  /** Of what is due later, or waits for the relay, too: it comes when its time has come. */
  async #lookAgain(workspace: string): Promise<void> {
    if (!this.#closed && isInService(this.#options.control.reader, workspace)) await this.#look(workspace);
  }

  /** Never rejects. */
  async #look(workspace: string): Promise<void> {
    const { workspaces, control } = this.#options;
    try {
      if (workspaces.read(workspace, hasNewNotices)) await this.#writeNotices(workspace);
      let backlog = workspaces.read(workspace, findBacklog);
      if (backlog.sending && (await this.#sender.giveUpLost(workspace)))
        backlog = workspaces.read(workspace, findBacklog);
      this.#backlogs.set(workspace, backlog);
      const at = Math.max(backlog.dueAt, this.#sender.pausedUntil);
      if (at < Number.POSITIVE_INFINITY) this.#deliver(workspace, at);
      if (!backlog.waiting && !backlog.sending)
        await whenFree(control.writer, LOCK_WAIT_MS, () =>
          dropNote(control.writer, MAIL_NOTES, workspace, Date.now() - NOTE_KEPT_MS),
        );
    } catch (error) {
      this.#backlogs.delete(workspace);
      this.#fail(error, workspace);
    }
  }

  async #writeNotices(workspace: string): Promise<void> {
    const { workspaces, control } = this.#options;
    if (!listWithNotices(control.reader).includes(workspace)) return;
    await noteMail(control, workspace, LOCK_WAIT_MS);
    await workspaces.writeWhenFree(workspace, LOCK_WAIT_MS, (db) =>
      writeNotices(db, control.reader, workspace, Date.now()),
    );
  }

  #fail(error: unknown, workspace?: string): void {
    // The next look tries again.
    if (isTransient(error) || mayComeLater(error) || this.#closed) return;
    this.#options.log.error({ err: error, ...(workspace && { workspace }) }, "mail failed");
  }
}
