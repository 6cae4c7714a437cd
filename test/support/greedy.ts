// A process that takes what it can get: requests on many connections, each begun when the last is answered, also when that
// was a refusal. Prints a line when as many answers have begun as it has connections, and when it is ended a JSON line with how
// often it got which status.

import { Agent, request } from "node:http";

const [url = "", connections = "1", path = "/", headers = "{}"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const statuses: Record<string, number> = {};
const { hostname, port } = new URL(url);
let begun = 0;

function ask(): void {
  const sent = request({ hostname, port, path, agent, headers: JSON.parse(headers) }, (response) => {
    const status = String(response.statusCode);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (++begun === Number(connections)) process.stdout.write("at work\n");
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
