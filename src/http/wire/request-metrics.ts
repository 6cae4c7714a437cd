// Counts requests, and how long they take. This is a part of every request, so it only adds numbers (0.1 µs). They become text when
// the metrics are read. A histogram of prom-client would take ten times as long.

import { Counter, type Registry } from "prom-client";

/** In seconds. A small read takes 0.0001; a request that waits for its job may take minutes. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const DURATIONS = "screening_http_request_duration_seconds";
const HELP = "Time from a request to the end of its response, by route template and method.";

/** The label of requests that no route has, or that were refused before a route was looked for. */
const NONE = "-";

/** The label of all other methods. */
const OTHER = "other";

/** Methods that have a label of their own. Node takes many others, which no route has. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", NONE, OTHER]);

/** How a request has ended. aborted: its response is not complete. */
type Status = number | "aborted";

/** The counts of a route and a method. */
interface Series {
  labels: { method: string; route: string };
  counts: Map<Status, number>;
  /** The number of requests in each bucket. The last bucket has all that took longer. */
  buckets: number[];
  seconds: number;
}

export class RequestMetrics {
  readonly #dropped: Counter;
  /** By route and method. */
  readonly #series = new Map<string, Map<string, Series>>();

  constructor(registry: Registry) {
    const registers = [registry];
    const all = () => this.#all();
    new Counter({
      name: "screening_http_requests_total",
      help: "Requests, by route template, method and status. Status aborted: the response did not get to its end.",
      labelNames: ["method", "route", "status"],
      registers,
      collect() {
        this.reset();
        for (const { labels, counts } of all())
          for (const [status, count] of counts) this.inc({ ...labels, status }, count);
      },
    });
    this.#dropped = new Counter({
      name: "screening_http_connections_dropped_total",
      help: "Connections that were closed at once, because the process had as many as it may have.",
      registers,
    });
  }

  /** Counts a request that has ended. @param route its template; undefined: none */
  ended(method: string, route: string | undefined, status: Status, ms: number): void {
    const series = this.#seriesOf(method, route ?? NONE);
    series.counts.set(status, (series.counts.get(status) ?? 0) + 1);
    const seconds = ms / 1000;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    series.buckets[bucket]!++;
    series.seconds += seconds;
  }

  /** Counts a request that Node has refused before it was one. */
  refused(status: number): void {
    const { counts } = this.#seriesOf(NONE, NONE);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  /** Counts a connection that was closed at once. */
  dropped(): void {
    this.#dropped.inc();
  }

  /** The histogram, in the text format of Prometheus. */
  text(): string {
    const lines = [`# HELP ${DURATIONS} ${HELP}`, `# TYPE ${DURATIONS} histogram`];
    for (const { labels, buckets, seconds } of this.#all()) {
      const of = `method="${labels.method}",route="${labels.route}"`;
      let count = 0;
      for (const [index, n] of buckets.entries()) {
        count += n;
        lines.push(`${DURATIONS}_bucket{le="${BUCKETS[index] ?? "+Inf"}",${of}} ${count}`);
      }
      lines.push(`${DURATIONS}_sum{${of}} ${seconds}`, `${DURATIONS}_count{${of}} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap((methods) => [...methods.values()]);
  }

  #seriesOf(method: string, route: string): Series {
    let methods = this.#series.get(route);
    if (!methods) {
      methods = new Map();
      this.#series.set(route, methods);
    }
    let series = methods.get(method);
    if (!series) {
      if (!METHODS.has(method)) return this.#seriesOf(OTHER, route);
      const buckets = new Array<number>(BUCKETS.length + 1).fill(0);
      series = { labels: { method, route }, counts: new Map(), buckets, seconds: 0 };
      methods.set(method, series);
    }
    return series;
  }
}
