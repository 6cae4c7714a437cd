// WEB_CONCURRENCY: several processes serve one port. What one of them loses, the others do not; and all of them end together.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { after, test } from "node:test";
import type { Client } from "../support/client.ts";
import { install, ServiceProcess, type WebProcess } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const PROCESSES = 2;
const env = { REDIS_URL: process.env.TEST_REDIS_URL ?? "", WEB_CONCURRENCY: `${PROCESSES}` };
const CALLERS = 20;
/** How many requests each sends, at least, after something has happened. */
const ROUNDS = 50;

/** Sends its requests over one connection, which it opens again when it is closed. */
class ConnectedCaller {
  readonly #client: Client;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  answered = 0;
  /** Whether an answer has said that it is the connection's last one. */
  isLast = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws when the connection breaks, or the answer is not 200 */
  async call(): Promise<void> {
    const { apiKey, apiSecret } = this.#client.credentials;
    const headers = { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret };
    await new Promise<void>((resolve, reject) => {
      const sent = get(`${this.#client.url}/screeners`, { agent: this.#agent, headers }, (answer) => {
        answer.resume();
        answer.once("error", reject);
        answer.once("end", () => {
          this.isLast = answer.headers.connection === "close";
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`answered ${answer.statusCode}`));
        });
      });
      sent.once("error", reject);
    });
    this.answered++;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The processes that another one has started, the oldest first. */
function children(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function start(more: Record<string, string> = {}) {
  const installation = install({ ...env, ...more });
  const web = await installation.web();
  await web.says(/"processes":2,"msg":"all web processes serve"/);
  const client = installation.workspace().client(web);
  const callers = Array.from({ length: CALLERS }, () => new ConnectedCaller(client));
  for (const caller of callers) await caller.call();
  return { web, callers, newCaller: () => new ConnectedCaller(client) };
}

/** How many requests each process has counted. */
async function counts(web: WebProcess): Promise<number[]> {
  const ports = [...web.stdout.matchAll(/"port":(\d+),"msg":"metrics are served"/g)].map(([, port]) => port);
  const texts = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
  return texts.map((text) =>
    Number(/^screening_http_requests_total\{.*"\/screeners".*\} (\d+)$/m.exec(text)?.[1] ?? 0),
  );
}

test("of several web processes one is killed: the others' requests go on, nobody waits in vain, and it comes back", async () => {
  const { web, callers, newCaller } = await start({ METRICS_PORT: "0" });
  // Each has its metrics on a port of its own, and connections are handed out in turn.
  const [a, b] = await counts(web);
  assert.deepEqual([a, b], [CALLERS / PROCESSES, CALLERS / PROCESSES]);

  const [first, second] = children(web.pid);
  process.kill(first!, "SIGSTOP");
  const asked = callers.map((caller) => ({ caller, answer: caller.call() }));
  for (const { answer } of asked) answer.catch(() => {});
  await until(
    () => asked.filter(({ caller }) => caller.answered === 2).length === CALLERS / 2,
    "the other one answers",
  );
  const [others, its] = [true, false].map((is) => asked.filter(({ caller }) => (caller.answered === 2) === is));
  // Of new connections it is handed one, which it does not take.
  const late = Array.from({ length: 5 }, () => {
    const caller = newCaller();
    return { caller, answer: caller.call() };
  });
  for (const { answer } of late) answer.catch(() => {});
  await until(() => late.filter(({ caller }) => caller.answered).length === late.length - 1, "the others are answered");

  let done = false;
  const load = others!.map(async ({ caller }) => {
    for (let n = 0; n < ROUNDS || !done; n++) await caller.call();
  });
  process.kill(first!, "SIGKILL");
  for (const { answer } of its!) await assert.rejects(answer);
  const untaken = late.find(({ caller }) => !caller.answered)!;
  let refusal: string | undefined;
  untaken.answer.catch(({ code }) => {
    refusal = code;
  });
  await until(() => refusal, "the caller who was not taken gets an error");
  assert.equal(refusal, "ECONNRESET");
  // They connect again.
  for (const { caller } of [...its!, untaken]) await caller.call();
  await web.says(
    /"process":0,.*"signal":"SIGKILL","pauseMs":250,"msg":"a web process has ended, and is started again"/,
  );
  await until(() => web.stdout.match(/"all web processes serve"/g)?.length === 2, "it serves again");
  done = true;
  await Promise.all(load);
  const [kept, added] = children(web.pid);
  assert.equal(kept, second);
  assert.ok(added! !== first && isAlive(added!));
  for (const { caller } of [...asked, ...late]) caller.close();

  // What is killed itself, takes the others with it.
  await web.kill("SIGKILL");
  await until(() => ![kept, added].some((pid) => isAlive(pid!)), "the others end");
});

test("several web processes end together: each answers until its callers know, and it exits with 0", async () => {
  const { web, callers } = await start({ DRAIN_DELAY_SECONDS: "1" });
  const load = callers.map(async (caller) => {
    // The answer that says so is the last one over its connection.
    while (!caller.isLast) await caller.call();
    caller.close();
  });
  web.signal("SIGTERM");
  await until(() => web.stdout.match(/"signal":"SIGTERM","msg":"ending"/g)?.length === PROCESSES, "both end");
  const { status } = await fetch(`${web.url}/readyz`, { headers: { Connection: "close" } });
  assert.equal(status, 503);
  await Promise.all(load);
  assert.deepEqual(await web.ended, { code: 0, signal: null });
  assert.equal(web.stderr, "");
});

test("a second signal ends several web processes at once", async () => {
  const { web, callers } = await start({ DRAIN_DELAY_SECONDS: "300" });
  web.signal("SIGINT");
  await web.says(/"signal":"SIGINT","msg":"ending"/);
  // What comes within a second is taken for the first signal.
  await until(() => web.end ?? web.signal("SIGINT"), "they end at once", 4000);
  assert.deepEqual(web.end, { code: 1, signal: null });
  for (const caller of callers) caller.close();
});

test("what is wrong with several web processes is said once, and ends all", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  after(() => taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { dataDir } = install();
  const tryWith = async (more: Record<string, string>) => {
    const web = new ServiceProcess("src/web.ts", { env: { ...env, DATA_DIR: dataDir, PORT: "0", ...more } });
    return { end: await web.ended, said: web.stderr };
  };
  const served = await tryWith({ PORT: `${port}`, SMPT_URL: "x" });
  assert.deepEqual(served.end, { code: 1, signal: null });
  assert.match(served.said, new RegExp(`^SMPT_URL is no variable [^\\n]*\\n[^\\n]*EADDRINUSE[^\\n]*${port}\\n$`));
  // The first one has its port, and the second one has not.
  const measured = await tryWith({ METRICS_PORT: `${port - 1}` });
  assert.deepEqual(measured.end, { code: 1, signal: null });
  assert.match(measured.said, new RegExp(`^METRICS_PORT: [^\\n]*EADDRINUSE[^\\n]*${port}\\n$`));
  taken.close();
  const alone = await tryWith({ REDIS_URL: "", PORT: `${await freePort()}` });
  assert.match(alone.said, /^The configuration is wrong:\n {2}WEB_CONCURRENCY must be 1 without REDIS_URL: [^\n]*\n$/);
});
