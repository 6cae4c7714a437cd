// Exports that would be too large are refused, and many of one workspace keep nobody else waiting.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { test } from "node:test";
import { answer, type OnePage, onOnePage } from "../support/one-page.ts";
import { sharedService } from "../support/service.ts";
import { until } from "../support/until.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const service = await sharedService();

const brands = {
  _type: "ScreenerMultiSelectQuestion",
  prompt: "Which?",
  options: [{ text: "A" }],
  allowsWriteIn: true,
};
const town = { _type: "ScreenerTextQuestion", prompt: "Town?", key: "town" };

test("a file of Excel that would be too large is refused", async () => {
  const questions = Array.from({ length: 2000 }, (_, index) => ({ ...town, key: `q${index}` }));
  const made = await onOnePage(service, questions, 150);
  for (const session of made.sessions) await answer(made.client, session, { [made.question[0]!]: "a" }, false);
  const { status, body } = await made.client.get(`/screeners/${made.screener}/export`, { Accept: XLSX });
  assert.deepEqual([status, body.code], [422, "export_too_large"]);
  const some = await made.client.get(`/screeners/${made.screener}/export?filter[id][eq]=${made.sessions[0]}`, {
    Accept: XLSX,
  });
  assert.equal(some.status, 200);
});

test("a table of more columns than a spreadsheet has is refused, and joined it is not; its codebook likewise", async () => {
  const options = Array.from({ length: 500 }, (_, index) => ({ text: `o${index}` }));
  const made = await onOnePage(
    service,
    Array.from({ length: 33 }, () => ({ ...brands, options, allowsWriteIn: false })),
    1,
  );
  const status = async (path: string) => (await made.client.get(`/screeners/${made.screener}/${path}`)).status;
  const split = await made.client.get(`/screeners/${made.screener}/export?choices=COLUMNS`);
  assert.deepEqual([split.status, split.body.code], [422, "export_too_large"]);
  assert.match(split.body.detail, /16,384 columns/);
  assert.deepEqual(
    [await status("codebook?choices=COLUMNS"), await status("export"), await status("codebook")],
    [422, 200, 200],
  );
});

test("a codebook that would be too long is refused", async () => {
  const options = Array.from({ length: 500 }, (_, index) => ({ text: `o${index}` }));
  const long = { ...brands, prompt: "?".repeat(2000), options };
  const made = await onOnePage(
    service,
    Array.from({ length: 34 }, () => long),
    1,
  );
  const { status, body } = await made.client.get(`/screeners/${made.screener}/codebook`);
  assert.deepEqual([status, body.code], [422, "export_too_large"]);
});

test("a caller of many files keeps others waiting for one of them, and one who has gone for none", async (t) => {
  const [greedy, other] = [await onOnePage(service, [town], 1), await onOnePage(service, [town], 1)];
  const { oneAtATime, pool } = service.context;
  const lined: string[] = [];
  const run = oneAtATime.run.bind(oneAtATime);
  oneAtATime.run = (key, work) => {
    lined.push(key);
    return run(key, work);
  };
  const made: string[] = [];
  const ask = pool.ask.bind(pool);
  pool.ask = (task, input) => {
    made.push((input as { screenerUid: string }).screenerUid);
    return ask(task, input);
  };
  let release = () => {};
  t.after(() => {
    release();
    Object.assign(oneAtATime, { run });
    Object.assign(pool, { ask });
  });
  const held = run("export", () => new Promise<void>((resolve) => (release = resolve)));
  const leaving = new AbortController();
  const sockets: Socket[] = [];
  const came = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  subscribe("http.server.request.start", came);
  const get = ({ client, screener }: OnePage, signal?: AbortSignal) =>
    client.call("GET", `/screeners/${screener}/export`, { headers: { Accept: XLSX }, ...(signal && { signal }) });
  const line = async (count: number) => until(() => lined.length === count, `${count} in the line`);
  const first = get(greedy);
  await line(2);
  const gone = [get(greedy, leaving.signal), get(greedy, leaving.signal)].map((reply) => reply.catch(() => null));
  await line(4);
  const second = get(greedy);
  await line(5);
  const others = get(other);
  await line(7);
  leaving.abort();
  await Promise.all(gone);
  await until(
    () => sockets.filter(({ destroyed }) => destroyed).length === 2,
    "the connections of who has gone are closed",
  );
  release();
  await held;
  unsubscribe("http.server.request.start", came);
  const replies = await Promise.all([first, second, others]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(made, [greedy.screener, other.screener, greedy.screener]);
});
