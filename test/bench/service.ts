// The service as it runs in production: its own processes, logging to a file, on a data directory of their own.

import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Workspaces } from "../../db/workspaces.ts";
import { Client } from "../support/client.ts";
import { Installation } from "../support/process.ts";
import { until } from "../support/until.ts";
import { type Call, Caller, type Payload } from "./caller.ts";
import { people, type Which, writeCsv, writePayload } from "./people.ts";
import { Spawned } from "./spawn.ts";

export type Mode = "threads" | "redis";

const POLL_MS = 5;
const MAX_JOB_MS = 300_000;

// What the benchmark leaves on the disk goes with it.
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) removeFolder(folder);
});

/** A folder of the benchmark's own. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "screening-bench-"));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

export class Service {
  readonly mode: Mode;
  readonly folder = temporaryFolder();
  /** The web process; of several, the one that supervises them. */
  readonly web: Spawned;
  readonly workers: Spawned[];
  url = "";
  /** What its processes have in their environment. */
  readonly env: Record<string, string>;
  readonly #installation: Installation;

  private constructor(mode: Mode, workers: number, webs: number, more: Record<string, string>, root?: URL) {
    this.mode = mode;
    const dataDir = join(this.folder, "data");
    mkdirSync(dataDir);
    const env = {
      NODE_ENV: "production",
      LOG_LEVEL: "info",
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: "0",
      WEB_CONCURRENCY: String(webs),
      REDIS_URL: mode === "redis" ? redisUrl() : "",
      ...more,
    };
    this.env = env;
    this.#installation = new Installation({}, dataDir);
    this.web = new Spawned("src/web.ts", [], env, join(this.folder, "web.log"), root);
    this.workers = Array.from({ length: mode === "redis" ? workers : 0 }, (_, index) => {
      return new Spawned("workers/main.ts", [], env, join(this.folder, `worker-${index}.log`));
    });
  }

  /** Starts it, and lets it do a little of everything, so that nothing is done for the first time when it is measured. */
  static async start(mode: Mode, workers = 1, webs = 1, more: Record<string, string> = {}): Promise<Service> {
    const service = await Service.cold(mode, workers, webs, more);
    const warm = await Promise.all(Array.from({ length: 4 }, () => service.workspace()));
    for (const round of [0, 1, 2]) {
      await Promise.all(warm.map((workspace) => workspace.importPeople({ count: 2000, from: round * 1000 })));
    }
    for (const workspace of warm) workspace.close();
    return service;
  }

  /** Starts a cell, with a worker. */
  static cell(name: string, port: number): Promise<Service> {
    return Service.cold("redis", 1, 1, { CELL: name, PORT: String(port) });
  }

  /** Starts another release, without worker processes. It has made its first workspace, and nothing else. @param root the folder of its code */
  static async released(root: URL): Promise<Service> {
    return Service.#listening(new Service("threads", 0, 1, {}, root));
  }

  /** Starts it. It has done nothing yet. @param more of its environment */
  static async cold(mode: Mode, workers = 1, webs = 1, more: Record<string, string> = {}): Promise<Service> {
    const service = await Service.#listening(new Service(mode, workers, webs, more));
    if (webs > 1) await service.web.says(/"all web processes serve"/);
    for (const worker of service.workers) await worker.says(/"worker started"/);
    return service;
  }

  static async #listening(service: Service): Promise<Service> {
    service.url = (await service.web.says(/^Listening on (http:\S+)/m))[1]!;
    return service;
  }

  /** The workspace that its first start has made. */
  firstClient(): Client {
    const { workspace, ...key } = this.#installation.firstCredentials();
    return new Client(this.url, workspace, key);
  }

  /** A new, empty workspace, of which no process knows yet. */
  client(): Client {
    return this.#installation.workspace("Bench").client(this);
  }

  /** What callers of such a workspace send. */
  credentials(): Record<string, string> {
    return headersOf(this.client());
  }

  /** The path of the link for a new admin's first sign-in. */
  async signInLink(workspaceId: string): Promise<string> {
    const user = ["--workspace", workspaceId, "--email", "admin@example.org", "--name", "Admin", "--role", "admin"];
    const { stdout, stderr } = await this.#installation.cli("user", "create", ...user);
    return /\/console\/sign-in\/\S+/.exec(stdout)?.[0] ?? stderr;
  }

  /** A screener in a new, empty workspace, or in a client's. @param url where its requests go to, if not to the service itself */
  async workspace(url = this.url, client = this.#installation.workspace("Bench").client({ url })): Promise<Workspace> {
    const { workspaceId } = client;
    const headers = headersOf(client);
    const { id } = await new Caller(url, headers).post<{ id: string }>("/screeners", { title: "Bench" });
    return new Workspace(this, workspaceId, headers, id, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.web, ...this.workers].map((process) => process.end()));
    removeFolder(this.folder);
  }
}

export class Workspace {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly screenerId: string;
  /** Its store's file. */
  readonly path: string;
  readonly caller: Caller;

  constructor(service: Service, id: string, headers: Record<string, string>, screenerId: string, url: string) {
    this.id = id;
    this.headers = headers;
    this.screenerId = screenerId;
    this.caller = new Caller(url, headers);
    const closed = { busyTimeoutMs: 0, checkpoints: false, onStale: "migrate" } as const;
    this.path = new Workspaces(join(service.folder, "data"), closed).path(id);
  }

  /** Imports these people, and no others, into the screener. */
  importPeople(which: Which): Promise<Done> {
    return this.import(this.payload(which));
  }

  /** Plans to import these people, and no others. */
  plan(which: Which): Promise<Done> {
    return this.import(this.payload({ ...which, isDryRun: true }), "PLANNED");
  }

  /** Writes an import's body into a file. */
  payload(which: Which): Payload {
    const path = `${this.path}.payload.json`;
    return { path, bytes: writePayload(path, { screenerId: this.screenerId, ...which }) };
  }

  /** Writes the body of the same import as a CSV. */
  csv(count: number): Payload {
    const path = `${this.path}.payload.csv`;
    return { path, bytes: writeCsv(path, count), type: "text/csv" };
  }

  /** Sends an import's body. */
  import(file: Payload, end?: End): Promise<Done> {
    const query = file.type ? `?screenerId=${this.screenerId}&importMode=FULL_SYNC` : "";
    return submit(this.caller, `/screener-participants-import${query}`, { file }, end);
  }

  /** Imports `count` people in one request that waits for its answer. */
  importAndWait(count: number, from: number): Promise<{ ms: number }> {
    const body = { screenerId: this.screenerId, participants: people(count, from) };
    return this.caller.call("POST", "/screener-participants-import", { body });
  }

  /** Size of the store's log, in MB, as soon as it is at most `wanted`; or as it is after some seconds. */
  async logSize(wanted: number): Promise<number> {
    const size = () => (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024;
    await until(() => size() <= wanted, "the log is cut back", 10_000).catch(() => {});
    return size();
  }

  close(): void {
    this.caller.close();
  }
}

/** How a job is expected to end. */
export type End = "SUCCEEDED" | "PLANNED";

/** A job that has ended as expected, and the time from the request's first byte until that was seen. */
export interface Done {
  id: string;
  ms: number;
}

/** Posts what starts a job, and waits for the job. @throws Error when it ends in another way */
export async function submit(caller: Caller, path: string, call: Call = {}, end: End = "SUCCEEDED"): Promise<Done> {
  const started = performance.now();
  const { text } = await caller.call("POST", path, { ...call, headers: { Prefer: "respond-async" } });
  const { id } = JSON.parse(text) as { id: string };
  for (;;) {
    const job = await caller.get<{ status: string }>(`/jobs/${id}`);
    const ms = performance.now() - started;
    if (job.status === end) return { id, ms };
    if (!["QUEUED", "RUNNING"].includes(job.status) || ms > MAX_JOB_MS) throw new Error(JSON.stringify(job));
    await sleep(POLL_MS);
  }
}

function headersOf({ credentials }: Client): Record<string, string> {
  return { "X-Service-Api-Key": credentials.apiKey, "X-Service-Api-Secret": credentials.apiSecret };
}

function redisUrl(): string {
  const url = process.env.TEST_REDIS_URL;
  if (!url) throw new Error("TEST_REDIS_URL is missing: run the benchmark through npm run bench.");
  return url;
}
