// How fast events come to a receiver of webhooks.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { until } from "../support/until.ts";
import type { Writes } from "./events-thread.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { Service } from "./service.ts";

const PER_SECOND = 1000;
const WARM_UP_SECONDS = 3;
const SECONDS = 15;
/** The events of a store are written so many times a second. */
const COMMITS = 100;
const BACKLOG = 5000;
const MAX_MS = 120_000;
const TYPE = "participant.updated";

/** Events that are written at a steady rate, and many at once. */
export async function webhooks(): Promise<Figure[]> {
  await using service = await Service.cold("threads", 1, 1, { WEBHOOK_ALLOW_PRIVATE: "true" });
  const workspace = await service.workspace();
  const receiver = await receive();
  await workspace.caller.post("/webhook-endpoints", { url: receiver.url, types: [TYPE] });
  const thread = new Worker(new URL("events-thread.ts", import.meta.url), {
    workerData: { path: workspace.path, type: TYPE },
  });
  /** @returns how long it took, in ms */
  const write = async (writes: Writes): Promise<number> => {
    thread.postMessage(writes);
    return (await once(thread, "message"))[0];
  };
  const steady = (seconds: number) =>
    write({ perSecond: COMMITS, events: PER_SECOND / COMMITS, transactions: seconds * COMMITS });
  const all = (count: number) => until(() => receiver.delays.length >= count, "all have come", MAX_MS);
  try {
    await steady(WARM_UP_SECONDS);
    await all(WARM_UP_SECONDS * PER_SECOND);
    receiver.delays.length = 0;
    const before = service.web.cpuSeconds();
    const written = await steady(SECONDS);
    await all(SECONDS * PER_SECOND);
    const delays = receiver.delays.splice(0);
    const cpu = (service.web.cpuSeconds() - before) / SECONDS;
    const started = performance.now();
    await write({ perSecond: 0, events: 500, transactions: BACKLOG / 500 });
    await all(BACKLOG);
    const perSecond = (BACKLOG * 1000) / (performance.now() - started);
    return [
      {
        what: "Time from an event to its receiver, at 1,000 events a second",
        unit: "ms",
        value: median(delays),
        target: { atMost: 1000 },
        samples: {
          p99: [quantile(delays, 0.99)],
          processorSecondsASecond: [cpu],
          writtenASecond: [(SECONDS * PER_SECOND * 1000) / written],
          connections: [receiver.connections()],
        },
      },
      {
        what: "– messages a second, when many wait",
        unit: "req/s",
        value: perSecond,
        target: { atLeast: 1000 },
      },
    ];
  } finally {
    await thread.terminate();
    workspace.close();
    receiver.close();
  }
}

/** A receiver that notes how old each event was when it came, in ms. */
async function receive() {
  const delays: number[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    request.once("end", () => {
      delays.push(Date.now() - Date.parse(text.slice(text.indexOf(TIMESTAMP) + TIMESTAMP.length).slice(0, 24)));
      response.writeHead(204).end();
    });
  });
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    delays,
    connections: () => connections,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const TIMESTAMP = '"timestamp":"';
