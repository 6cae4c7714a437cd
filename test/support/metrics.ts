// Reads the metrics of a process, as Prometheus does.

import type { ServiceProcess } from "./process.ts";

/** What a process shows at one moment. */
export interface Shown {
  text: string;
  /** The type of each metric, by its name; a histogram has one name. */
  types: Map<string, string>;
  /** The value of a series. undefined: it is not there. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** The address of the metrics of a process that was started with METRICS_PORT=0. */
export async function metricsOf(process: ServiceProcess): Promise<string> {
  const [, port] = await process.says(/"port":(\d+),"msg":"metrics are served"/);
  return `http://127.0.0.1:${port}/metrics`;
}

export async function readMetrics(process: ServiceProcess): Promise<Shown> {
  const response = await fetch(await metricsOf(process));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const series = new Map(
    [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = "", value]) => [
      keyOf(name!, labels.match(/\w+="[^"]*"/g) ?? []),
      Number(value),
    ]),
  );
  return {
    text,
    types: new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!])),
    value: (name, labels = {}) =>
      series.get(
        keyOf(
          name,
          Object.entries(labels).map(([label, value]) => `${label}="${value}"`),
        ),
      ),
  };
}

function keyOf(name: string, labels: readonly string[]): string {
  return [name, ...labels.toSorted()].join();
}
