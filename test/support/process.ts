// The real processes of the service, on a data directory of their own: started as an operator starts them, to be killed.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { openControl } from "../../db/control.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { openReader } from "../../db/sqlite/open.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { storePath } from "../../db/store.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { PROGRAMS } from "../../src/build.mjs";
import { BY_SERVICE } from "../../src/events/record.ts";
import { createWorkspace, type NewWorkspace } from "../../src/workspaces/create.ts";
import { issueKey } from "../../src/workspaces/issue.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { Client } from "./client.ts";
import { removeFolder } from "./folder.ts";
import { RedisServer } from "./redis.ts";
import { emptyLog } from "./store.ts";
import { until } from "./until.ts";

const ROOT = new URL("../../", import.meta.url);
const PATIENT = { busyTimeoutMs: 10_000, checkpoints: false } as const;

// What a test leaves running ends with it, however it ends.
const alive = new Set<ServiceProcess>();
process.once("exit", () => {
  for (const one of alive) one.signal("SIGKILL");
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

/** The arguments with which Node runs a script of the project: of a program, what was compiled for this run. */
export function nodeArguments(script: string, root = ROOT): string[] {
  if (script.endsWith(".mjs")) return [script];
  const name = Object.keys(PROGRAMS).find((one) => PROGRAMS[one] === script);
  if (name !== undefined && root !== ROOT)
    // Releases up to 1.1.0 have another way.
    return existsSync(new URL("src/typescript.mjs", root))
      ? ["--import", "./src/typescript.mjs", script]
      : ["src/run.mjs", "--build", name];
  // Of what is no program, Node reads the types away by itself.
  if (name === undefined) return [script];
  const build = process.env.TEST_BUILD;
  return build ? [`${build}/${name}.mjs`] : ["--import", "tsx", script];
}

/** The address of a file that a process loads first: of what was compiled for this run, where it was. */
function preloadOf(file: string, root: URL): string {
  const compiled = join(process.env.TEST_COMPILED ?? "", file.replace(/\.ts$/, ".js"));
  const isHere = process.env.TEST_COMPILED !== undefined && root === ROOT && existsSync(compiled);
  return (isHere ? pathToFileURL(compiled) : new URL(file, root)).href;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process of the service. */
export class ServiceProcess {
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<End>;
  /** What it has written so far. */
  stdout = "";
  stderr = "";
  end: End | undefined;
  readonly #child: ChildProcess;
  readonly #isGroup: boolean;
  /** The lines of its log that were parsed, and how much of what it wrote that is. */
  readonly #lines: Record<string, unknown>[] = [];
  #parsed = 0;

  /** Runs a script of the project with this Node, or the command that starts it. */
  constructor(script: string, { env = {}, preload = [], args = [], command, root = ROOT, uid }: ProcessOptions = {}) {
    const imports = preload.flatMap((file) => ["--import", preloadOf(file, root)]);
    const [program, ...rest] = command ?? [process.execPath, ...imports, ...nodeArguments(script, root), ...args];
    const child = spawn(program!, rest, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: command !== undefined,
      ...(uid !== undefined && { uid, gid: uid }),
    });
    alive.add(this);
    this.#child = child;
    this.#isGroup = command !== undefined;
    this.pid = child.pid!;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        alive.delete(this);
        this.end = { code, signal };
        resolve(this.end);
      });
    });
  }

  /** The lines of its structured log so far, parsed. */
  get log(): readonly Record<string, unknown>[] {
    // Who waits for a line asks a hundred times a second.
    const end = this.stdout.lastIndexOf("\n") + 1;
    if (end > this.#parsed) {
      const lines = this.stdout.slice(this.#parsed, end).split("\n");
      this.#lines.push(...lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])));
      this.#parsed = end;
    }
    return this.#lines;
  }

  /** Resolves with the match as soon as it has written it. Rejects when it has ended instead. */
  says(pattern: RegExp, ms = 30_000): Promise<RegExpExecArray> {
    return until(
      () => {
        const match = pattern.exec(this.stdout);
        if (!match && this.end) throw new Error(`It ended (${JSON.stringify(this.end)}): ${this.stdout}${this.stderr}`);
        return match;
      },
      `a process says ${pattern}`,
      ms,
    );
  }

  /** Resolves when it has ended, without having been asked to. */
  dies(ms = 30_000): Promise<End> {
    return until(() => this.end, `process ${this.pid} ends`, ms);
  }

  /** Sends a signal: to the whole process group, if a command has started it. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#isGroup) this.#child.kill(signal);
    else if (!this.end) process.kill(-this.pid, signal);
  }

  /** Sends a signal, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<End> {
    this.signal(signal);
    return this.ended;
  }
}

export interface ProcessOptions {
  /** Above this process's own environment and the installation's. */
  env?: Record<string, string>;
  /** Files, from the project's root, that the process and its threads load before anything else. */
  preload?: string[];
  args?: string[];
  /** The folder of another release. */
  root?: URL;
  /** What starts it instead, in a process group of its own: npm start, … */
  command?: readonly string[];
  /** Under which user, and group, it runs. Only root can say. */
  uid?: number;
}

/** A process that serves the API. */
export class WebProcess extends ServiceProcess {
  url = "";

  /** Resolves when its log has all requests that it has answered: lines are written together, a moment later. */
  async hasLogged(): Promise<void> {
    const last = await fetch(`${this.url}/openapi.json`);
    await last.bytes();
    const id = last.headers.get("x-request-id");
    await until(() => this.log.some(({ requestId }) => requestId === id), "its log has the last request");
  }
}

/** A workspace, and who may use it. */
export class TestWorkspace {
  readonly id: string;
  readonly #made: NewWorkspace;

  constructor(made: NewWorkspace) {
    this.id = made.workspace.id;
    this.#made = made;
  }

  /** A client of it; one for each web process, because each listens elsewhere. */
  client(web: { url: string }): Client {
    const { apiKey, apiSecret } = this.#made;
    return new Client(web.url, this.id, { apiKey, apiSecret });
  }
}

/** A data directory with the processes that work on it. Remove it when the test is over. */
export class Installation {
  readonly dataDir: string;
  readonly #env: Record<string, string>;
  readonly #processes: ServiceProcess[] = [];

  /** @param env for all of its processes: REDIS_URL, WORKER_CONCURRENCY, … */
  constructor(env: Record<string, string> = {}, dataDir = mkdtempSync(join(tmpdir(), "screening-"))) {
    this.dataDir = dataDir;
    this.#env = {
      REDIS_URL: "",
      LOG_LEVEL: "info",
      ...env,
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: "0",
    };
  }

  /** Makes an empty workspace, whether a process runs or not. */
  workspace(name = "Test"): TestWorkspace {
    const control = openControl(this.dataDir, PATIENT);
    const workspaces = new Workspaces(this.dataDir, { ...PATIENT, onStale: "migrate" });
    try {
      const made = createWorkspace(control, workspaces, name, BY_SERVICE);
      emptyLog(workspaces, made.workspace.id);
      return new TestWorkspace(made);
    } finally {
      workspaces.close();
      control.close();
    }
  }

  /** A client of a workspace, with a key of its own. */
  async anotherClient(workspace: TestWorkspace, web: { url: string }): Promise<Client> {
    const { writer, close } = openControl(this.dataDir, PATIENT);
    try {
      const { id } = findWorkspace(writer, workspace.id)!;
      const key = await whenFree(writer, 5000, () => issueKey(writer, id, { name: "Another", expiresAt: null }));
      return new Client(web.url, workspace.id, key);
    } finally {
      close();
    }
  }

  /** A workspace that the command line has made. */
  known(made: NewWorkspace): TestWorkspace {
    return new TestWorkspace(made);
  }

  /** A new workspace that has a screener, and its client at a web process. */
  async screener(web: { url: string }): Promise<{ workspace: TestWorkspace; client: Client; screenerId: string }> {
    const workspace = this.workspace();
    const client = workspace.client(web);
    return { workspace, client, screenerId: await client.screener() };
  }

  /** Starts src/web.ts, and waits until it listens. */
  async web(options: ProcessOptions = {}): Promise<WebProcess> {
    const web = new WebProcess("src/web.ts", this.#options(options));
    this.#processes.push(web);
    web.url = (await web.says(/^Listening on (https?:\S+)/m))[1]!;
    return web;
  }

  /** Starts workers/main.ts, and waits until it takes jobs. */
  async worker(options: ProcessOptions = {}): Promise<ServiceProcess> {
    const worker = new ServiceProcess("workers/main.ts", this.#options(options));
    this.#processes.push(worker);
    await worker.says(/"worker started"/);
    return worker;
  }

  /** Runs src/cli.ts. @returns how it ended, and what it wrote */
  cli(...args: string[]): Promise<End & { stdout: string; stderr: string }> {
    return this.cliWith({}, ...args);
  }

  async cliWith(env: Record<string, string>, ...args: string[]): Promise<End & { stdout: string; stderr: string }> {
    return this.#run({ args, env });
  }

  /** Runs src/cli.ts of another release. */
  cliOf(root: URL, ...args: string[]): Promise<End & { stdout: string; stderr: string }> {
    return this.#run({ args, root });
  }

  async #run(options: ProcessOptions): Promise<End & { stdout: string; stderr: string }> {
    const cli = new ServiceProcess("src/cli.ts", this.#options(options));
    this.#processes.push(cli);
    const end = await cli.ended;
    return { ...end, stdout: cli.stdout, stderr: cli.stderr };
  }

  /** What the first start has kept for the operator. */
  firstCredentials(): { workspace: string; apiKey: string; apiSecret: string; text: string } {
    const text = readFileSync(join(this.dataDir, "first-credentials"), "utf8");
    const kept = (name: string) => new RegExp(`^ {2}${name} +(\\S+)$`, "m").exec(text)?.[1] ?? "";
    return { workspace: kept("workspace"), apiKey: kept("key"), apiSecret: kept("secret"), text };
  }

  /** Reads the control store directly: the first column of every row. */
  control<Value>(sql: string, ...values: (string | number)[]): Value[] {
    return readStore(join(this.dataDir, "control.sqlite"), (db) => db.values<Value>(sql, ...values));
  }

  /** Reads a workspace's store directly: the first column of every row. */
  stored<Value>(workspace: TestWorkspace, sql: string, ...values: (string | number)[]): Value[] {
    return this.read(workspace, (db) => db.values<Value>(sql, ...values));
  }

  /** Reads a workspace's store directly. */
  read<Result>(workspace: TestWorkspace, look: (db: Reader) => Result): Result {
    return readStore(storePath(this.dataDir, workspace.id), look);
  }

  /** Resolves when no job is waiting or under way. */
  async drain(ms = 60_000): Promise<void> {
    // To open it takes ten times as long as to look.
    const ledger = openReader(join(this.dataDir, "control.sqlite"), PATIENT);
    try {
      const open = "SELECT count(*) FROM job WHERE finished_at IS NULL";
      await until(() => ledger.value<number>(open) === 0, "all jobs are done", ms);
    } finally {
      ledger.close();
    }
  }

  /** Kills what still runs. */
  async stop(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((process) => process.kill()));
  }

  /** Kills what still runs, and removes the data. */
  async remove(): Promise<void> {
    await this.stop();
    removeFolder(this.dataDir);
  }

  #options(options: ProcessOptions): ProcessOptions {
    return { ...options, env: { ...this.#env, ...options.env } };
  }
}

/** A new installation. It is removed with the test, or the file, that makes it. */
export function install(env?: Record<string, string>, dataDir?: string): Installation {
  const installation = new Installation(env, dataDir);
  after(() => installation.remove());
  return installation;
}

/** A Redis server of a test's own, not yet started. It is removed with the test, or the file, that makes it. */
export function ownRedis(...args: string[]): RedisServer {
  const binary = process.env.TEST_REDIS_SERVER;
  if (!binary) throw new Error("TEST_REDIS_SERVER is missing: run the tests through npm run test:faults.");
  const redis = new RedisServer(binary, args);
  after(() => redis.remove());
  return redis;
}

/** Reads a store's file directly. */
export function readStore<Result>(path: string, look: (db: Reader) => Result): Result {
  const db = openReader(path, PATIENT);
  try {
    return look(db);
  } finally {
    db.close();
  }
}
