// Reverse proxies for the tests, as operators put them before the service.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { findOrInstall } from "./programs.ts";
import { until } from "./until.ts";

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = `
daemon off;
pid ${folder}/pid;
error_log /dev/null;
events {}
http {
  access_log off;
  ${temporary.join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    ${settings}
    location / { proxy_pass http://127.0.0.1:${target}; proxy_set_header Host $http_host; }
  }
}
`;
  writeFileSync(join(folder, "nginx.conf"), config);
  run(binary, ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")], folder);
  await until(() => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined), "nginx answers");
}

function run(binary: string, args: string[], folder: string): void {
  const child = spawn(binary, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  process.once("exit", () => child.kill("SIGTERM"));
  after(async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await gone;
    rmSync(folder, { recursive: true, force: true });
  });
}
