// Writes the data directory of a release, and what it answers, into <version>.tar.gz in this folder; and its code into
// <version>-code.tar.xz. From the project's root, with the release in a folder of its own, where `npm ci` was run:
//
//   ./node_modules/.bin/node --import tsx test/support/releases/write.ts FOLDER

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "../client.ts";
import { findRedisServer, RedisServer } from "../redis.ts";
import { until } from "../until.ts";
import { type Answers, askAll } from "./answers.ts";
import { CODE } from "./code.ts";
import { leaveJobs, live, type Repeated } from "./life.ts";

/** How to call as somebody: headers. */
export type Caller = Record<string, string>;

/** What is kept beside the data. */
export interface Kept {
  /** When the last process had ended. */
  writtenAt: string;
  workspaces: { id: string; callers: Caller[]; revoked: Caller[]; repeated: Repeated[]; answers: Answers }[];
}

/** A client that calls with these headers. */
export function clientOf(url: string, workspaceId: string, caller: Caller): Client {
  return new (class extends Client {
    override call(method: string, path: string, options: Parameters<Client["call"]>[2] = {}) {
      return super.call(method, path, { ...options, headers: { ...options.headers, ...caller } });
    }
  })(url, workspaceId, { apiKey: "", apiSecret: "" });
}

const PUBLIC_URL = "http://127.0.0.1:3000";

/** The release's own commands and processes. */
class Release {
  readonly dataDir: string;
  readonly #folder: string;
  url = "";

  constructor(folder: string, dataDir: string) {
    this.#folder = folder;
    this.dataDir = dataDir;
  }

  #env(more: Record<string, string> = {}) {
    return { ...process.env, REDIS_URL: "", LOG_LEVEL: "error", PUBLIC_URL, DATA_DIR: this.dataDir, ...more };
  }

  cli(...args: string[]) {
    const options = { cwd: this.#folder, env: this.#env(), encoding: "utf8" } as const;
    return JSON.parse(execFileSync("npm", ["run", "-s", "cli", "--", ...args, "--json"], options));
  }

  /** Does something while its web process runs. */
  async serving(more: Record<string, string>, act: () => Promise<void>): Promise<void> {
    const port = await freePort();
    const env = this.#env({ ...more, PORT: String(port) });
    const web = spawn("npm", ["run", "-s", "web"], {
      cwd: this.#folder,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    web.stdout.resume();
    this.url = `http://127.0.0.1:${port}`;
    try {
      await until(
        () =>
          fetch(`${this.url}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        "it serves",
      );
      await act();
    } finally {
      // Not before the last process of the group has let go of the pipe.
      const ended = once(web, "close");
      process.kill(-web.pid!, "SIGTERM");
      await ended;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

const keyOf = ({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }): Caller => ({
  "X-Service-Api-Key": apiKey,
  "X-Service-Api-Secret": apiSecret,
});

async function write(folder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "release-"));
  const release = new Release(folder, join(scratch, "data"));
  const redis = new RedisServer(findRedisServer());
  await redis.start();
  try {
    const workspaces = ["Acme", "Beta"].map((name) => {
      const made = release.cli("workspace", "create", name);
      const of = ["--workspace", made.workspace.id];
      const other = release.cli("key", "create", "--name", "Another", ...of);
      const rotated = release.cli("key", "rotate", other.id, "--overlap-hours", "8000", ...of);
      const gone = release.cli("key", "create", "--name", "Revoked", ...of);
      release.cli("key", "revoke", gone.id, ...of);
      const user = release.cli("token", "create", "--user-name", "Grace", ...of);
      return {
        id: made.workspace.id as string,
        callers: [keyOf(made), keyOf(other), keyOf(rotated), { Authorization: `Bearer ${user.accessToken}` }],
        revoked: [keyOf(gone)],
        repeated: [] as Repeated[],
        answers: {} as Answers,
      };
    });
    const client = (index: number, caller = 0) =>
      clientOf(release.url, workspaces[index]!.id, workspaces[index]!.callers[caller]!);
    await release.serving({}, async () => {
      for (const [index, workspace] of workspaces.entries())
        workspace.repeated = await live(client(index), client(index, 3));
    });
    // Without a worker, jobs wait.
    await release.serving({ REDIS_URL: redis.url }, async () => {
      await leaveJobs(client(0));
      for (const [index, workspace] of workspaces.entries()) workspace.answers = await askAll(client(index));
    });
    const kept: Kept = { writtenAt: new Date().toISOString(), workspaces };
    writeFileSync(join(scratch, "kept.json"), JSON.stringify(kept));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = new URL(`./${version}.tar.gz`, import.meta.url).pathname;
    execFileSync("tar", [
      "--owner=0",
      "--group=0",
      "--sort=name",
      "-I",
      "gzip -9",
      "-cf",
      file,
      "-C",
      scratch,
      "data",
      "kept.json",
    ]);
    const code = new URL(`./${version}-code.tar.xz`, import.meta.url).pathname;
    const asIs = ["--owner=0", "--group=0", "--sort=name", "--exclude=node_modules"];
    execFileSync("tar", [...asIs, "-I", "xz -9e", "-cf", code, "-C", folder, ...CODE]);
    process.stdout.write(`${file}\n${code}\n`);
  } finally {
    await redis.remove();
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) await write(process.argv[2]!);
