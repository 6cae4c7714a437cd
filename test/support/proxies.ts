// Reverse proxies for the tests, as operators put them before the service.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { removeFolder } from "./folder.ts";
import { findOrInstall } from "./programs.ts";
import { until } from "./until.ts";

/** Below the ports that the system gives to connections and to listeners that ask for none: nobody else takes one meanwhile. */
const [FIRST_PORT, LAST_PORT] = [15_000, 30_000];

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await new Promise((resolve) => {
      server.once("listening", () => resolve(true)).once("error", () => resolve(false));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export interface Proxy {
  url: string;
  /** The servers that it sends requests to now, by their ports. */
  ready(): Promise<number[]>;
}

/** Starts HAProxy before web processes on these ports. It ends with the test, or the file, that starts it. */
export async function startHaproxy(ports: readonly number[]): Promise<Proxy> {
  const binary = findOrInstall(["haproxy"], "haproxy");
  const folder = mkdtempSync(join(tmpdir(), "haproxy-"));
  const port = await freePort();
  const socket = join(folder, "stats.sock");
  const config = `
global
  stats socket ${socket} mode 600
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  retries 3
  option redispatch
frontend service
  bind 127.0.0.1:${port}
  default_backend web
backend web
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 200ms fall 2 rise 1
${ports.map((one) => `  server ${one} 127.0.0.1:${one}`).join("\n")}
`;
  writeFileSync(join(folder, "haproxy.cfg"), config);
  run(binary, ["-q", "-db", "-f", "haproxy.cfg"], folder);
  const ready = async () => {
    const asked = connect(socket);
    asked.end("show stat\n");
    const rows = (await text(asked)).split("\n").map((line) => line.split(","));
    return rows.flatMap(([group, name, ...rest]) => (group === "web" && rest[15] === "UP" ? Number(name) || [] : []));
  };
  await until(async () => (await ready().catch(() => [])).length === ports.length, "HAProxy finds the processes");
  return { url: `http://127.0.0.1:${port}`, ready };
}

/** Starts nginx before a web process. `settings`: lines of its server. It ends with the test, or the file, that starts it. */
export async function startNginx(port: number, target: number, settings = ""): Promise<void> {
  const binary = findOrInstall(["nginx"], "nginx-light");
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const config = nginxAround(
    folder,
    `server {
    listen 127.0.0.1:${port};
    ${settings}
    location / { proxy_pass http://127.0.0.1:${target}; proxy_set_header Host $http_host; }
  }`,
  );
  writeFileSync(join(folder, "nginx.conf"), config);
  run(binary, ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")], folder);
  await until(() => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined), "nginx answers");
}

/** The service's name in the certificate. */
export const TLS_NAME = "receiver.example";
const tls = (name: string) => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));
export const AUTHORITY = readFileSync(tls("authority"), "utf8");

/**
 * Starts a proxy with its file in deploy/: on free ports, before the web processes on `targets`, with the tests' certificate.
 * It ends with the test, or the file, that starts it. @returns its ports
 */
export async function startDeployed(
  which: "nginx" | "haproxy",
  targets: readonly [number, number],
): Promise<{ http: number; https: number }> {
  const [http, https] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), `${which}-`));
  if (which === "nginx") {
    // Its workers belong to another user.
    chmodSync(folder, 0o755);
    const server = substitute(readFileSync("deploy/nginx.conf", "utf8"), [
      ["127.0.0.1:3001", `127.0.0.1:${targets[0]}`],
      ["127.0.0.1:3002", `127.0.0.1:${targets[1]}`],
      ["/var/cache/nginx/screening-ready", join(folder, "ready")],
      ["listen 80;", `listen 127.0.0.1:${http};`],
      ["listen 443 ", `listen 127.0.0.1:${https} `],
      ["/etc/ssl/screening/certificate.pem", tls("certificate")],
      ["/etc/ssl/private/screening.pem", tls("key")],
    ]);
    writeFileSync(join(folder, "nginx.conf"), nginxAround(folder, server));
    run(findOrInstall(["nginx"], "nginx-light"), ["-e", "stderr", "-p", folder, "-c", "nginx.conf"], folder);
  } else {
    const pem = join(folder, "screening.pem");
    writeFileSync(pem, readFileSync(tls("certificate"), "utf8") + readFileSync(tls("key"), "utf8"), { mode: 0o600 });
    const file = readFileSync("deploy/haproxy.cfg", "utf8");
    // Only root can become somebody else.
    const config = substitute(process.getuid?.() === 0 ? file : file.replace(/^ {2}(?:user|group|chroot) .*\n/gm, ""), [
      ["127.0.0.1:3001", `127.0.0.1:${targets[0]}`],
      ["127.0.0.1:3002", `127.0.0.1:${targets[1]}`],
      ["bind :80", `bind 127.0.0.1:${http}`],
      ["bind :443", `bind 127.0.0.1:${https}`],
      ["/etc/haproxy/screening.pem", pem],
    ]);
    writeFileSync(join(folder, "haproxy.cfg"), config);
    run(findOrInstall(["haproxy"], "haproxy"), ["-q", "-db", "-f", "haproxy.cfg"], folder);
  }
  await until(() => fetch(`http://127.0.0.1:${http}/`, { redirect: "manual" }).catch(() => undefined), "it answers");
  return { http, https };
}

export interface CellProxy {
  url: string;
  /** What its admin socket is, and its map. */
  files: { socket: string; map: string };
  /** Adds a line to its map. */
  map(name: string, cell: string): Promise<void>;
}

/**
 * Starts HAProxy with deploy/haproxy-cells.cfg, before the cells eu1, eu2 and eu3 on `targets`, without TLS. It ends with the
 * test, or the file, that starts it. @param up how many of them run already @param start runs a program in its folder
 */
export async function startCellProxy(
  targets: readonly [number, number, number],
  up = 3,
  start: typeof run = run,
): Promise<CellProxy> {
  const [port, other] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), "haproxy-"));
  const [socket, map] = [join(folder, "admin.sock"), join(folder, "cells.map")];
  writeFileSync(map, "");
  const config = substitute(
    readFileSync("deploy/haproxy-cells.cfg", "utf8").replace(/^ {2}(?:user|group|chroot) .*\n/gm, ""),
    [
      ...targets.map((target, index) => [`127.0.0.1:300${index + 1}`, `127.0.0.1:${target}`] as const),
      ["bind :80", `bind 127.0.0.1:${other}`],
      ["bind :443 ssl crt /etc/haproxy/screening.pem alpn h2,http/1.1", `bind 127.0.0.1:${port}`],
      ["  http-request redirect scheme https code 308 unless { ssl_fc }\n", ""],
      ["stats socket /run/haproxy/admin.sock", `stats socket ${socket}`],
      ["/etc/haproxy/cells.map", map],
    ],
  );
  writeFileSync(join(folder, "haproxy.cfg"), config);
  start(findOrInstall(["haproxy"], "haproxy"), ["-q", "-db", "-f", "haproxy.cfg"], folder);
  const send = (line: string) => {
    const asked = connect(socket);
    asked.end(`${line}\n`);
    return text(asked);
  };
  const isUp = async () =>
    (await send("show stat")).split("\n").filter((row) => /^cell_eu\d,a,.*,UP,/.test(row)).length === up;
  await until(() => isUp().catch(() => false), "HAProxy finds the cells");
  return {
    url: `http://127.0.0.1:${port}`,
    files: { socket, map },
    async map(name, cell) {
      await send(`add map ${map} ${name} ${cell}`);
    },
  };
}

/**
 * Starts nginx with deploy/nginx-cells.conf, before servers on `targets`, without TLS. It ends with the test, or the file, that starts
 * it. @param map its lines @param second the second process of eu1 @returns its URL
 */
export async function startCellNginx(
  targets: readonly [number, number, number],
  map: string,
  second = targets[0],
): Promise<string> {
  const [port, other] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  // Its workers belong to another user.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "cells.map"), map);
  const config = substitute(readFileSync("deploy/nginx-cells.conf", "utf8").replace(/^ {2}ssl_.*\n/gm, ""), [
    ...targets.map((target, index) => [`127.0.0.1:300${index + 1}`, `127.0.0.1:${target}`] as const),
    ["127.0.0.1:3011", `127.0.0.1:${second}`],
    ["/var/cache/nginx/screening-ready", join(folder, "ready")],
    ["listen 80;", `listen 127.0.0.1:${other};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port};`],
    ["include /etc/nginx/cells.map", `include ${folder}/cells.map`],
  ]);
  writeFileSync(join(folder, "nginx.conf"), nginxAround(folder, config));
  run(findOrInstall(["nginx"], "nginx-light"), ["-e", "stderr", "-p", folder, "-c", "nginx.conf"], folder);
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/cell/`).catch(() => undefined), "nginx answers");
  return url;
}

/** Replaces what is only right on an operator's machine. Each must be there. */
function substitute(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`There is no ${from} in the file.`);
    return changed.replaceAll(from, to);
  }, text);
}

function nginxAround(folder: string, servers: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
pid ${folder}/pid;
error_log /dev/null;
events {}
http {
  access_log off;
  ${temporary.join("\n  ")}
  ${servers}
}
`;
}

function run(binary: string, args: string[], folder: string): void {
  const child = spawn(binary, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  process.once("exit", () => child.kill("SIGTERM"));
  after(async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await gone;
    removeFolder(folder);
  });
}
