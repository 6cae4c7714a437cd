// What to do when the machine of a cell is lost, and how to practise it. On another machine, with the code in place:
//
//   DATA_DIR=/srv/eu1 REPLICA_URL=s3://bucket/eu1 CELL=eu1 REDIS_URL=… PORT=3001 node_modules/.bin/node deploy/drill.mjs
//
// It restores the stores from Litestream's replica (litestream.sh) into an empty DATA_DIR, makes them an installation of their own
// (`cli restore --in-place`), checks them (`cli verify`), starts a web process and a worker, waits until they serve, and says how long each step
// took. Then it changes the proxy's map, if these are set:
//
//   HAPROXY_SOCKET, HAPROXY_MAP   the admin socket, and the path of the map
//   STANDS_IN                     the name of the backend (cell_…) that this machine is in: the map gets the line "eu1 eu9"
//
// It ends the processes with SIGTERM or Ctrl-C; systemd's units are for everyday. It can be run again: what a drill has left that did not
// get to its end is removed from DATA_DIR first, or used if it was restored and checked.
//
// --check is for practice: a process without Redis, with a name and, unless PORT is set, a port that are free, so that the cells and the proxy
// do not notice. It ends as soon as it serves, and leaves DATA_DIR empty. Webhooks that wait in the replica are sent by it, too.

import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join, resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const isPractice = process.argv.includes("--check");
const { DATA_DIR, REPLICA_URL, CELL, REDIS_URL, HOST = "127.0.0.1", ERASED_DIR } = process.env;
const { HAPROXY_SOCKET, HAPROXY_MAP, STANDS_IN } = process.env;
const MAX_START_MS = 60_000;

const missing = Object.entries({ DATA_DIR, REPLICA_URL, CELL, REDIS_URL: isPractice || REDIS_URL }).filter(([, value]) => !value);
if (missing.length) fail(`${missing.map(([name]) => name).join(", ")}: missing.`);

/** Processes of the service that it has started. */
const started = [];
const program = ["src/run.mjs", "--build"];

function fail(why) {
  process.stderr.write(`${why}\n`);
  for (const child of started) child.kill("SIGTERM");
  process.exit(1);
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => fail(`${command}: ${error.message}`));
    child.once("exit", (code) => (code === 0 ? resolve() : fail(`${[command, ...args].join(" ")} ended with ${code}.`)));
  });
}

async function step(what, work) {
  const since = performance.now();
  await work();
  process.stdout.write(`${what.padEnd(40)} ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

const cli = (...args) => run(process.execPath, [...program, "cli", ...args]);

function start(name) {
  const env = { ...process.env, ...service };
  const child = spawn(process.execPath, [...program, name], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  child.once("exit", (code) => isEnding || fail(`${name} ended with ${code}.`));
  started.push(child);
}

async function waitUntilReady() {
  const url = `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${service.PORT}/readyz`;
  for (const deadline = performance.now() + MAX_START_MS; ; ) {
    const answer = await fetch(url).catch(() => undefined);
    const isOurs = answer?.headers.get("x-ready-nonce") === nonce;
    if (answer?.ok && isOurs) return;
    if (answer && !isOurs) fail(`Another process answers ${url}: choose another PORT.`);
    if (performance.now() > deadline) fail(`${url} does not answer 200.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has HAProxy send the cell's requests to the one that stands in for it. */
function switchMap() {
  return new Promise((resolve) => {
    const socket = connect(HAPROXY_SOCKET);
    let answer = "";
    socket.once("error", (error) => fail(`HAPROXY_SOCKET: ${error.message}`));
    socket.on("data", (text) => (answer += text));
    socket.once("end", () => (answer.replace(/^.*not found.*$/gim, "").trim() ? fail(`HAProxy: ${answer.trim()}`) : resolve()));
    // Of several lines for a name the first counts.
    const line = `${HAPROXY_MAP} ${CELL}`;
    socket.end(`del map ${line}; add map ${line} ${STANDS_IN.replace(/^cell_/, "")}\n`);
  });
}

/** A file beside DATA_DIR, until the drill has got to its end: what is there comes from the replica, and nobody has used it. */
const mark = `${absolute(DATA_DIR)}.drill`;

const RESTORED = "restored\n";

function emptyDataDir() {
  for (const name of existsSync(DATA_DIR) ? readdirSync(DATA_DIR) : [])
    rmSync(join(DATA_DIR, name), { recursive: true, force: true });
}

/** A port that nobody listens on. */
async function freePort() {
  const server = createServer().listen(0, HOST);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

let isEnding = false;
async function end() {
  isEnding = true;
  await Promise.all(
    started.map((child) => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      return child.exitCode === null && child.kill("SIGTERM") ? gone : undefined;
    }),
  );
  if (isPractice) {
    emptyDataDir();
    rmSync(mark, { force: true });
  }
  process.exit(0);
}
process.once("SIGTERM", end);
process.once("SIGINT", end);

// The newest state of the replica has all erasures but those of the last second, so that it can do without their list.
const list = ERASED_DIR && existsSync(ERASED_DIR) && readdirSync(ERASED_DIR).length ? [] : ["--without-erased"];

/** What the processes answer that this drill has started. */
const nonce = randomUUID();
const service = {
  READY_NONCE: nonce,
  PORT: process.env.PORT ?? (isPractice ? await freePort() : "3000"),
  ...(isPractice && { REDIS_URL: "", CELL: `drill${randomBytes(4).toString("hex")}` }),
};

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isRestored = existsSync(mark) && readFileSync(mark, "utf8") === RESTORED && !isPractice;
if (existsSync(mark) && !isRestored) {
  process.stdout.write(`An earlier drill has not got to its end: what it left in ${DATA_DIR} is removed.\n`);
  emptyDataDir();
} else if (!isRestored && existsSync(DATA_DIR) && readdirSync(DATA_DIR).length) fail(`${DATA_DIR} (DATA_DIR) is not empty.`);
const since = performance.now();
if (isRestored) process.stdout.write(`An earlier drill has restored the cell ${CELL} into ${DATA_DIR}.\n`);
else {
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  writeFileSync(mark, "under way\n", { mode: 0o600 });
  process.stdout.write(`Release ${version}. The cell ${CELL} is restored from ${REPLICA_URL} into ${DATA_DIR}.\n`);
  await step("litestream restore", () => run("sh", [join(here, "litestream.sh"), "restore"]));
  await step("cli restore", () => cli("restore", "--in-place", ...list, "--note", "The machine of the cell was lost"));
  await step("cli verify", () => cli("verify"));
  // From here on something may be written to it.
  writeFileSync(mark, RESTORED);
}
await step("the processes are ready", async () => {
  start("web");
  if (!isPractice) start("worker");
  await waitUntilReady();
});
if (!isPractice) rmSync(mark);
if (HAPROXY_SOCKET && HAPROXY_MAP && STANDS_IN && !isPractice) await step("the map is switched", switchMap);
process.stdout.write(`${CELL} is served again after ${((performance.now() - since) / 1000).toFixed(1)} s.\n`);
if (isPractice) await end();
