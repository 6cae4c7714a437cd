// The thread of a process that sends mail, as the rest of the process sees it. It claims messages, writes them out, holds the relay's connections, and
// records what has become of each: so requests wait for none of this. It starts with the first message.

import { Piscina } from "piscina";
import { threadFile } from "../../db/root.ts";
import type { Config } from "../base/config.ts";
import type { Finding, Findings } from "../base/findings.ts";
import { type Log, passOn } from "../base/log.ts";
import type { MailConfig } from "../base/settings/mail.ts";
import { closeLoading, type LoadingState, newLoadingState } from "../engine/threads/loading.ts";
import { isMarked, TRANSIENT } from "../engine/threads/thread-errors.ts";
import { Attempts } from "./attempts.ts";
import type { Sent } from "./relay/outcome.ts";

/** What the thread gets when it starts (workers/mail-thread.ts). */
export interface MailThreadSettings extends Pick<Config, "dataDir" | "erasedDir" | "logLevel" | "publicUrl"> {
  mail: MailConfig;
  cell: string | null;
  /** The name of the process's lock file. */
  sender: string;
  maxOpenStores: number;
  loading: LoadingState;
}

/** What the thread is asked to do: send what is due of a workspace, record what nobody knows of one any more, or end. */
export type MailTask = { send: string } | { giveUpLost: string } | { close: true };

/** What the thread answers. */
export interface MailReply {
  /** For how long no process may send anything, in ms; or whether something was recorded. */
  answer: number | boolean;
  /** Until when nothing leaves here, in ms since 1970. */
  pausedUntil: number;
  /** How long each of its transactions has held the lock of a workspace's store, in ms. */
  held: number[];
}

/** What the thread says meanwhile. */
export type MailNews =
  | { line: string | null }
  | { attempted: Sent["state"]; count: number }
  | { finding: Finding }
  | { cleared: Pick<Finding, "code"> }
  | { grown: string };

interface SenderThreadOptions extends Omit<MailThreadSettings, "loading" | "publicUrl"> {
  publicUrl(): string;
  log: Log;
  findings: Findings;
  /** The WAL of a workspace's store has grown. */
  onGrown(workspace: string): void;
  onHeld: ((ms: number) => void) | undefined;
}

/** It is asked for one workspace at a time, and there are never so many. */
const MAX_AT_ONCE = 100_000;
/** How long the process waits for the thread to have loaded, and to have ended. */
const END_WAIT_MS = 1000;

export class SenderThread {
  readonly attempts = new Attempts();
  readonly #options: SenderThreadOptions;
  readonly #loading = newLoadingState();
  #thread: Piscina<MailTask, MailReply> | undefined;
  #pausedUntil = 0;
  #closed = false;

  constructor(options: SenderThreadOptions) {
    this.#options = options;
  }

  /** Until when nothing leaves here: the relay can't be used, or as much has left as may in a minute. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Sends what is due of a workspace, for a while. @returns how long no process may send anything, in ms */
  async send(workspace: string): Promise<number> {
    return Number(await this.#ask({ send: workspace }));
  }

  /** Records what nobody knows any more, because the process or the thread that sent it has died. @returns whether there was something */
  async giveUpLost(workspace: string): Promise<boolean> {
    return Boolean(await this.#ask({ giveUpLost: workspace }));
  }

  /** Waits for what is under way: at most as long as the relay is waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#thread) return;
    await this.#thread.run({ close: true }).catch(() => {});
    await closeLoading(this.#loading, END_WAIT_MS);
    await this.#thread.destroy();
  }

  /** Errors that pass have the cause TRANSIENT. */
  async #ask(task: MailTask): Promise<MailReply["answer"]> {
    if (this.#closed) throw new Error("The process ends.", { cause: TRANSIENT });
    this.#thread ??= this.#start();
    const { answer, pausedUntil, held } = await this.#thread.run(task);
    this.#pausedUntil = pausedUntil;
    for (const ms of held) this.#options.onHeld?.(ms);
    return answer;
  }

  #start(): Piscina<MailTask, MailReply> {
    const { log, findings, onGrown, onHeld, publicUrl, ...settings } = this.#options;
    const thread = new Piscina<MailTask, MailReply>({
      filename: threadFile("mail-thread").href,
      name: "perform",
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: MAX_AT_ONCE,
      // It goes on with its connections when nothing is asked of it.
      atomics: "disabled",
      workerData: { ...settings, publicUrl: publicUrl(), loading: this.#loading } satisfies MailThreadSettings,
    });
    // Another one is started. What this one had under way is uncertain.
    thread.on("error", (error: unknown) => log.error({ err: error }, "worker thread failed"));
    thread.on("message", (news: MailNews) => this.#take(news));
    return thread;
  }

  #take(news: MailNews): void {
    const { log, findings, onGrown } = this.#options;
    if ("line" in news) passOn(log, news.line);
    else if ("attempted" in news) this.attempts.note(news.attempted, news.count);
    else if ("finding" in news) findings.report(news.finding);
    else if ("cleared" in news) findings.clear(news.cleared);
    else onGrown(news.grown);
  }
}

/** Whether what the thread was asked for may be done later. */
export function mayComeLater(error: unknown): boolean {
  return isMarked(error, TRANSIENT);
}
