// A reader that follows the feed of a workspace (docs/examples/follow-feed.ts), as a process that may be killed; and its copy
// against the lists.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import type { Client } from "./client.ts";
import { until } from "./until.ts";

const EXAMPLE = new URL("../../docs/examples/follow-feed.ts", import.meta.url).pathname;

export class Mirror {
  readonly #folder = mkdtempSync(join(tmpdir(), "mirror-"));
  #child: ChildProcess | undefined;
  /** What it has written. */
  output = "";

  constructor() {
    after(async () => {
      await this.kill();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  get #file(): string {
    return join(this.#folder, "mirror.sqlite");
  }

  /** Starts the reader, where it was. */
  start({ url, credentials }: Client, ...more: string[]): void {
    const { apiKey, apiSecret } = credentials;
    const env = { ...process.env, SCREENING_URL: url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret };
    this.#child = spawn(process.execPath, [EXAMPLE, this.#file, ...more], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it has come to the last event of the workspace. */
  async caughtUp(client: Client, ms = 60_000): Promise<void> {
    await until(
      async () => {
        if (!this.isRunning) throw new Error(`The reader has ended: ${this.output.slice(-3000)}`);
        const { total } = (await client.get("/events?pagination[limit]=1")).body;
        const { items } = (await client.get(`/events?pagination[limit]=1&pagination[offset]=${total - 1}`)).body;
        return this.#values<string>("SELECT id FROM cursor")[0] === items[0].id;
      },
      "the reader has come to the last event",
      ms,
    );
  }

  /** The ids of the events that it has applied, in order. */
  events(): string[] {
    return this.#values("SELECT id FROM event ORDER BY n");
  }

  /** Fails unless the copy is what the lists show. */
  async assertSame(client: Client): Promise<void> {
    const { participants, ...copy } = this.#items();
    const people = new Map(participants.map((one) => [one.id, one]));
    const sessions = new Map(copy.sessions.map((one) => [one.id, one]));
    const assignments = copy.assignments.map((one) => {
      const person = people.get(one.participantId as string);
      const review = sessions.get(one.currentSessionId as string)?.review ?? null;
      const derived = { externalParticipantUid: person?.externalUid, name: person?.name, email: person?.email };
      return { ...one, ...derived, ...(review !== null && { review }) };
    });
    assert.deepEqual(participants, byId(await client.all("/participants")));
    assert.deepEqual(assignments, byId(await client.all("/screener-participants")));
    // The link is made of ids, and of where the service is.
    const listed = byId(await client.all("/screener-sessions")).map(({ screenerSessionLink, ...session }) => session);
    assert.deepEqual(copy.sessions, listed);
  }

  #items() {
    const read = (table: string) =>
      byId(this.#values<string>(`SELECT json FROM ${table}`).map((json) => JSON.parse(json) as Item));
    return { participants: read("participant"), assignments: read("assignment"), sessions: read("session") };
  }

  #values<T>(sql: string): T[] {
    const db = new DatabaseSync(this.#file, { timeout: 5000 });
    try {
      // The reader makes the tables at its start.
      if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'session_assignment'").get()) return [];
      return db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0] as T);
    } finally {
      db.close();
    }
  }
}

type Item = Record<string, unknown> & { id: string };

function byId<T extends { id: string }>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
