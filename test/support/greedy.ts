// A process that takes what it can get: requests on many connections, each begun when the last is answered, also when that
// was a refusal. Prints a JSON line with how often it got which status, when it is ended.

import { Agent, request } from "node:http";

const [url = "", connections = "1", path = "/", headers = "{}"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const statuses: Record<string, number> = {};
const { hostname, port } = new URL(url);

function ask(): void {
  const sent = request({ hostname, port, path, agent, headers: JSON.parse(headers) }, (response) => {
    const status = String(response.statusCode);
    statuses[status] = (statuses[status] ?? 0) + 1;
    response.resume();
    response.once("close", ask);
  });
  sent.once("error", () => setTimeout(ask, 10));
  sent.end();
}

for (let n = 0; n < Number(connections); n++) ask();
process.once("SIGTERM", () => {
  process.stdout.write(`${JSON.stringify(statuses)}\n`);
  process.exit(0);
});
