// Cells behind a proxy: each request comes to the cell that has its workspace, and a cell that dies takes no other one with it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Cell, move, startCell } from "../support/cells.ts";
import { type Client, people } from "../support/client.ts";
import { ownRedis, type TestWorkspace } from "../support/process.ts";
import { freePort, startCellNginx, startCellProxy } from "../support/proxies.ts";
import { invited } from "../support/study.ts";
import { until } from "../support/until.ts";

const NAMES = ["eu1", "eu2", "eu3"] as const;
const WORKSPACES = 4;

interface Tenant {
  home: Cell;
  workspace: TestWorkspace;
  /** By the proxy. */
  client: Client;
  screenerId: string;
  token: string;
}

test("three cells: requests by key, token and link come to the right one, also after a move; one that dies is alone", async () => {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  // Its register has these cells alone.
  const redis = ownRedis();
  await redis.start();
  const cells: Cell[] = [];
  for (const [index, name] of NAMES.entries())
    cells.push(await startCell(name, { env: { PORT: String(ports[index]) } }, redis));
  const proxy = await startCellProxy(ports);
  const tenants: Tenant[] = [];
  for (const home of cells) {
    for (let n = 0; n < WORKSPACES; n++) {
      const workspace = home.installation.workspace(`${home.name} ${n}`);
      const client = workspace.client(proxy);
      const screenerId = await client.screener();
      const created = await home.installation.cli(
        "token",
        "create",
        "--workspace",
        workspace.id,
        "--user-name",
        "Ada",
        "--json",
      );
      tenants.push({ home, workspace, client, screenerId, token: JSON.parse(created.stdout).accessToken });
    }
  }
  /** All ways to a workspace. @returns the statuses */
  const visit = async ({ client, screenerId, token }: Tenant, round: number): Promise<number[]> => {
    const bearer = { Authorization: `Bearer ${token}` };
    return [
      (await client.import(screenerId, people(20, round * 20))).status,
      (await client.get("/screeners")).status,
      (await fetch(`${proxy.url}/participants`, { headers: bearer })).status,
    ];
  };
  for (let round = 0; round < 3; round++)
    for (const statuses of await Promise.all(tenants.map((tenant) => visit(tenant, round))))
      assert.deepEqual(statuses, [200, 200, 200]);
  const hasLogged = () => Promise.all(cells.map(({ web }) => web.hasLogged()));
  const strays = () =>
    cells.flatMap(({ name, web }) =>
      web.log
        .filter(
          ({ msg, status, route }) => msg === "request" && (status === 401 || status === 404 || route === "(moved)"),
        )
        .map(() => name),
    );
  await hasLogged();
  assert.deepEqual(strays(), []);

  // A link, and a move: without a line in the map the old cell passes requests on; with it they come to the new one.
  const traveller = tenants[0]!;
  const { link } = await invited(traveller.client);
  const open = async () =>
    (await fetch(proxy.url + new URL(link.path, proxy.url).pathname, { redirect: "manual" })).status;
  assert.equal(await open(), 200);
  const [one, , three] = cells as [Cell, Cell, Cell];
  await move(one, traveller.workspace, three);
  assert.deepEqual([...(await visit(traveller, 5)), await open()], [200, 200, 200, 200]);
  await hasLogged();
  assert.equal(strays().length, 4);
  const line = `eu1-${traveller.workspace.id.slice(-8)} eu3`;
  const listed = async (...args: string[]) => (await three.installation.cli("cell", "list", ...args)).stdout;
  await until(async () => (await listed("--map")).trim() === line, "the register has heard of it");
  await proxy.map(...(line.split(" ") as [string, string]));
  assert.deepEqual([...(await visit(traveller, 6)), await open()], [200, 200, 200, 200]);
  await hasLogged();
  assert.equal(strays().length, 4);

  // What there is, and where. Each has its first workspace, too. A cell says every few seconds how many it has.
  const where = [
    ["eu1", WORKSPACES, false],
    ["eu2", WORKSPACES + 1, false],
    ["eu3", WORKSPACES + 2, false],
  ];
  let shown: (Record<string, unknown> & { workspaces: { id: string }[] })[] = [];
  await until(async () => {
    shown = JSON.parse(await listed("--json", "--workspaces"));
    return isDeepStrictEqual(
      shown.map(({ cell, workspaceCount, isQuiet }) => [cell, workspaceCount, isQuiet]),
      where,
    );
  }, "the register knows what each cell has");
  assert.ok(shown[2]!.workspaces.some(({ id }) => id === traveller.workspace.id));
  assert.match(await listed("--workspaces"), new RegExp(`eu1 .*free of .*\\n.*eu3 .*${traveller.workspace.id} `, "s"));

  // From outside nobody moves anything.
  assert.equal((await fetch(`${proxy.url}/cell/moves`, { method: "POST" })).status, 404);

  await cells[1]!.installation.stop();
  const others = tenants.filter(({ home }) => home.name !== "eu2");
  for (let round = 10; round < 13; round++)
    for (const statuses of await Promise.all(others.map((tenant) => visit(tenant, round))))
      assert.deepEqual(statuses, [200, 200, 200]);
  const lost = tenants.find(({ home }) => home.name === "eu2")!;
  await until(
    async () => (await lost.client.call("GET", "/screeners").catch(() => ({ status: 503 }))).status === 503,
    "the proxy has noticed",
  );
  assert.equal((await one.installation.cli("cell", "forget", "eu2")).code, 0);
  assert.doesNotMatch(await listed(), /eu2/);
});

test("HAProxy and nginx find the same cell for a request", async () => {
  const servers = NAMES.map((name) => createServer((req, res) => res.end(req.url?.startsWith("/readyz") ? "" : name)));
  for (const server of servers) await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  after(() => {
    for (const server of servers) server.close();
  });
  const ports = servers.map((server) => (server.address() as AddressInfo).port) as [number, number, number];
  const haproxy = await startCellProxy(ports);
  await haproxy.map("eu1-aaaaaaaa", "eu3");
  const urls = [haproxy.url, await startCellNginx(ports, "eu1-aaaaaaaa eu3;\n")];
  const cases: [string, string, Record<string, string>][] = [
    ["eu1", "/screeners", {}],
    ["eu1", "/screeners", { "X-Service-Api-Key": "key_oldKeyWithoutName" }],
    ["eu2", "/screeners", { "X-Service-Api-Key": "key_eu2-9f86d081.x-_" }],
    ["eu3", "/screeners", { "X-Service-Api-Key": "key_eu1-aaaaaaaa.x" }],
    ["eu1", "/screeners", { "X-Service-Api-Key": "key_eu1-bbbbbbbb.x" }],
    ["eu1", "/screeners", { "X-Service-Api-Key": "key_unknown-bbbbbbbb.x" }],
    ["eu2", "/screeners", { Authorization: "Bearer token_eu2-9f86d081.x" }],
    ["eu3", "/screeners", { Authorization: "bearer  token_eu3-9f86d081.token_eu2-9f86d081.x" }],
    ["eu3", "/screeners", { Authorization: "Bearer token_eu2-9f86d081.x", "X-Service-Api-Key": "key_eu3-9f86d081.x" }],
    ["eu2", "/w/eu2-9f86d081.01a2/s/eu1-9f86d081.abc", {}],
    // What comes with a link in headers does not send it elsewhere: a cell would pass it on.
    ["eu2", "/w/eu2-9f86d081.01a2/s/eu1-9f86d081.abc", { "X-Service-Api-Key": "key_eu3-9f86d081.x" }],
    [
      "eu3",
      "/w/eu1-aaaaaaaa.01a2/s/x",
      { "X-Service-Api-Key": "key_eu2-9f86d081.x", Authorization: "Bearer token_eu2-9f86d081.x" },
    ],
    ["eu1", "/w/01a2/s/abc", { Authorization: "Bearer token_eu2-9f86d081.x" }],
    ["eu3", "/w/eu1-aaaaaaaa.01a2/screeners/1/2?page=x", {}],
    ["eu1", "/w/01a2/s/abc", {}],
    // Open links, and what other sites add to them.
    ["eu2", "/w/eu2-9f86d081.01a2/o/h4km9wz2tqx7ncpr?pid=eu3-9f86d081.x&signature=00", {}],
    ["eu3", "/w/eu1-aaaaaaaa.01a2/o/eu2-9f86d081", { "X-Service-Api-Key": "key_eu2-9f86d081.x" }],
    ["eu1", "/w/01a2/o/h4km9wz2tqx7ncpr", {}],
  ];
  for (const [cell, path, headers] of cases)
    for (const url of urls)
      assert.equal(
        await (await fetch(url + path, { headers })).text(),
        cell,
        `${url} ${path} ${JSON.stringify(headers)}`,
      );
  for (const url of urls) assert.equal((await fetch(`${url}/cell/moves`, { method: "POST" })).status, 404);
});

/** A process of a cell that says its name, and at /readyz what it can do. */
async function processOf(name: string, status: { reads: number; writes: number }): Promise<number> {
  const server = createServer((req, res) => {
    if (req.url === "/readyz") res.statusCode = status.reads;
    if (req.url === "/readyz?writes") res.statusCode = status.writes;
    // Callers announce no body that does not come.
    req.resume().once("end", () => res.end(name));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("nginx sends what writes to a process of the cell that can write; HAProxy and nginx send it to the cell where none can", async () => {
  const status = { reads: 200, writes: 503 };
  const [other, sound] = [
    { reads: 200, writes: 200 },
    { reads: 200, writes: 200 },
  ];
  const ports = [
    await processOf("eu1 a", status),
    await processOf("eu2 a", status),
    await processOf("eu3 a", sound),
  ] as const;
  const nginx = await startCellNginx(ports, "", await processOf("eu1 b", other));
  const haproxy = await startCellProxy(ports);
  const ask = async (url: string, method: string, cell = "eu1") => {
    const answer = await fetch(`${url}/screeners`, {
      method,
      headers: { "X-Service-Api-Key": `key_${cell}-9f86d081.x` },
      ...(method === "POST" && { body: "{}" }),
    });
    return answer.text();
  };
  const many = async (url: string, method: string, cell = "eu1") =>
    new Set(await Promise.all(Array.from({ length: 40 }, () => ask(url, method, cell))));
  await until(async () => isDeepStrictEqual(await many(nginx, "POST"), new Set(["eu1 b"])), "nginx has asked both");
  assert.deepEqual(await many(nginx, "POST"), new Set(["eu1 b"]));
  assert.deepEqual(await many(nginx, "GET"), new Set(["eu1 a", "eu1 b"]));
  for (const url of [nginx, haproxy.url]) {
    // Where no process can write, the cell itself says why.
    assert.deepEqual(await many(url, "POST", "eu2"), new Set(["eu2 a"]), url);
    assert.deepEqual(await many(url, "POST", "eu3"), new Set(["eu3 a"]), url);
  }
  // One that ends gets nothing new, also no reads.
  status.reads = 503;
  await until(async () => isDeepStrictEqual(await many(nginx, "GET"), new Set(["eu1 b"])), "it is noticed");
  other.writes = 503;
  await until(async () => (await many(nginx, "POST")).has("eu1 a"), "the cell says why");
});
