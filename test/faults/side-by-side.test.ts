// An upgrade without an interruption: processes of the last release and of the next one work side by side behind HAProxy, while
// requests of all kinds come. Either the workers are replaced first, or the web processes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCounts } from "../support/counts.ts";
import { Load } from "../support/load.ts";
import { install, type ServiceProcess } from "../support/process.ts";
import { freePort, startDeployed } from "../support/proxies.ts";
import { lastRelease, nextRelease } from "../support/releases/code.ts";
import { SecureClient } from "../support/secure-client.ts";
import { until } from "../support/until.ts";

// What one of the tests has had compiled, the other one finds.
const [last, next] = [lastRelease(), nextRelease()];

for (const first of ["workers", "webs"] as const) {
  test(`an upgrade behind HAProxy, ${first} first: no read fails, and no write`, async () => {
    const installation = install({
      REDIS_URL: process.env.TEST_REDIS_URL ?? "",
      TRUST_PROXY: "true",
      DRAIN_DELAY_SECONDS: "2",
    });
    const created = await installation.cliOf(last, "workspace", "create", "Acme", "--json");
    const made = JSON.parse(created.stdout);
    const ports = [await freePort(), await freePort()] as const;
    const web = (root: URL, port: number) => installation.web({ root, env: { PORT: String(port) } });
    const webs = await Promise.all(ports.map((port) => web(last, port)));
    const worker = await installation.worker({ root: last });
    const { https } = await startDeployed("haproxy", ports);
    const client = new SecureClient(https, made.workspace.id, made);
    const load = await Load.start(client);

    const replaceWorker = async () => {
      await installation.worker({ root: next });
      await load.goesOn();
      await end(worker);
    };
    const replaceWebs = async () => {
      for (const [index, port] of ports.entries()) {
        await end(webs[index]!);
        const newer = await web(next, port);
        // HAProxy uses it, for reads and for writes, before the other one ends.
        for (const method of [/"method":"GET"/, /"method":"P/]) await newer.says(method);
        await load.goesOn();
      }
    };
    const versions = () => [
      installation.control<number>("PRAGMA user_version")[0]!,
      installation.stored<number>(installation.known(made), "PRAGMA user_version")[0]!,
    ];
    const before = versions();
    await load.goesOn();
    await (first === "workers" ? replaceWorker() : replaceWebs());
    await until(() => versions().every((version, index) => version > before[index]!), "both stores are migrated");
    await load.goesOn();
    await (first === "workers" ? replaceWebs() : replaceWorker());
    await load.goesOn();
    await load.stop();

    const { failed, reads, writes } = load.figures;
    assert.deepEqual([...new Set(failed)], [], `${failed.length} of ${reads + writes + failed.length} requests failed`);
    await installation.drain();
    await load.check();
    client.close();
    await installation.stop();
    installation.read(installation.known(made), assertCounts);
    process.stdout.write(`${first} first: ${JSON.stringify(load.figures)}\n`);
  });
}

/** Ends a process as an upgrade does. */
async function end(one: ServiceProcess): Promise<void> {
  one.signal("SIGTERM");
  assert.deepEqual(await one.ended, { code: 0, signal: null });
}
