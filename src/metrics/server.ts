// Serves /metrics on a port of its own, in the text format of Prometheus. The metrics have no personal data and no ids. But they show
// how much the service is used, so only this machine can read them, unless the operator sets another address.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { backupGauge } from "./backup.ts";
import { fileGauges, installationGauges, type Measured, processGauges, webhookGauges } from "./gauges.ts";
import { bounceGauge, mailGauges } from "./mail-gauges.ts";
import type { Metrics } from "./metrics.ts";
import { reviewGauge } from "./reviews.ts";

/** Enough for a few Prometheus servers and a person. */
const MAX_CONNECTIONS = 8;

/** Serves what the process measures. @throws Error, a sentence that says why it can't listen there */
export async function serveMetrics(context: Measured, metrics: Metrics): Promise<void> {
  const { log } = context;
  const { metricsPort: port, metricsHost: host } = context.config;
  const gauges = [
    installationGauges,
    webhookGauges,
    mailGauges,
    bounceGauge,
    backupGauge,
    reviewGauge,
    fileGauges,
    processGauges,
  ];
  const refreshes = gauges.map((of) => of(metrics.registry, context));
  const show = async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
    return metrics.text();
  };
  const server = createServer((req, res) => {
    const answer = (status: number, text: string, type = "text/plain; charset=utf-8") =>
      res.writeHead(status, { "Content-Type": type }).end(text);
    req.resume();
    if (req.url?.replace(/\?.*$/s, "") !== "/metrics") return void answer(404, "The metrics are at /metrics.\n");
    if (req.method !== "GET") return void answer(405, "Ask with GET.\n");
    show().then(
      (text) => answer(200, text, metrics.registry.contentType),
      (error: unknown) => {
        log.warn({ err: error }, "metrics could not be read");
        answer(500, "The metrics could not be read. The log says why.\n");
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Each web process has a port of its own. On a shared port, a scrape would get the figures of any one of them.
  server.listen({ port, host, exclusive: true });
  await once(server, "listening").catch((error: Error) => {
    throw new Error(`METRICS_PORT: ${error.message}`);
  });
  const { address, port: actual } = server.address() as AddressInfo;
  log.info({ address, port: actual }, "metrics are served");
}
