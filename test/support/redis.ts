// A Redis for the tests alone, on its own socket, in its own folder.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { removeFolder } from "./folder.ts";
import { findOrInstall } from "./programs.ts";
import { until } from "./until.ts";

/** Where a Redis server is on this machine; installed from Debian when that may be done. @throws Error that says what to install */
export function findRedisServer(): string {
  return findOrInstall(["redis-server", "valkey-server"], "redis-server");
}

/** A running Redis server that belongs to the tests. */
export class RedisServer {
  readonly url: string;
  readonly #binary: string;
  readonly #folder: string;
  readonly #args: string[];
  #process: ChildProcess | undefined;

  constructor(binary: string, args: string[] = []) {
    this.#binary = binary;
    this.#args = args;
    this.#folder = mkdtempSync(join(tmpdir(), "redis-"));
    this.url = `unix://${join(this.#folder, "redis.sock")}`;
  }

  get socket(): string {
    return join(this.#folder, "redis.sock");
  }

  /** Starts it, and makes sure that the one that answers is the one that was started. */
  async start(): Promise<void> {
    const child = spawn(
      this.#binary,
      [
        "--port",
        "0",
        "--unixsocket",
        this.socket,
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        this.#folder,
        ...this.#args,
      ],
      { stdio: "ignore" },
    );
    this.#process = child;
    await until(async () => existsSync(this.socket), "Redis opens its socket");
    const client = this.client();
    try {
      const answering = /process_id:(\d+)/.exec(await client.info("server"))?.[1];
      if (Number(answering) !== child.pid) throw new Error(`Another Redis (${answering}) answers at ${this.socket}.`);
    } finally {
      client.disconnect();
    }
  }

  client(): Redis {
    return new Redis(this.socket);
  }

  /** Sends a signal: SIGKILL, SIGSTOP, SIGCONT … */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Kills it, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    rmSync(this.socket, { force: true });
  }

  /** Kills it, and removes what it has left. */
  async remove(): Promise<void> {
    await this.kill();
    removeFolder(this.#folder);
  }
}
