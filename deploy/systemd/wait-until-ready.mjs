// Ends with 0 when the web process on PORT can serve, and with 1 when it cannot after so many seconds: `wait-until-ready.mjs 60`.
// A unit that runs it is started when its process answers, so that those behind it find one that does.

import { setTimeout as sleep } from "node:timers/promises";

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[HOST] ?? (HOST.includes(":") ? `[${HOST}]` : HOST);
const url = `http://${host}:${PORT}/readyz`;
const seconds = Number(process.argv[2]);
const end = performance.now() + seconds * 1000;
let last = "";
do {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    if (response.ok) process.exit(0);
    last = await response.text();
  } catch (error) {
    last = String(error.cause ?? error);
  }
  await sleep(100);
} while (performance.now() < end);
process.stderr.write(`${url} did not answer 200 in ${seconds} seconds: ${last}\n`);
process.exit(1);
