// Writes, one after the other over a few connections that stay open.

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const CONNECTIONS = 16;

/** A screener's content, as the API shows it. */
export interface Stored {
  pages: { id: string; questions: { id: string; options?: { id: string }[] }[] }[];
}

/** Two forms of the first page: sent in turns, each changes something. */
export function formsOf({ pages }: Stored): Buffer[] {
  const [{ id: page, questions } = { id: "", questions: [] }] = pages;
  const [age, town, drink] = questions;
  return [0, 1].map((which) => {
    const form = new URLSearchParams({ page });
    form.append(`answer-${age!.id}`, String(40 + which));
    form.append(`answer-${town!.id}`, `Town ${which}`);
    form.append(`answer-${drink!.id}`, drink!.options![which]!.id);
    for (const { id } of questions) form.append("question", id);
    return Buffer.from(form.toString());
  });
}

/** A request that writes something. */
export interface Write {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The status of an answer that has taken it. */
  status: number;
}

/** Forms to the sessions of these paths: each to another one than the form before. */
export function formTo(paths: readonly string[], forms: readonly Buffer[]): (number: number) => Write {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return (number) => ({
    path: paths[number % paths.length]!,
    headers,
    body: forms[Math.floor(number / paths.length) % forms.length]!,
    status: 303,
  });
}

/** Sends writes over 16 connections for some seconds. @returns how many were taken a second */
export async function writeFor(url: string, writeOf: (number: number) => Write, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  const end = started + seconds * 1000;
  let sent = 0;
  const lane = async () => {
    while (performance.now() < end) await send(url, agent, writeOf(sent++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return (sent * 1000) / (performance.now() - started);
}

/** Sends a write each so many ms, whether the ones before were answered or not. @returns how long each took, in ms */
export async function writeEvery(
  url: string,
  writeOf: (number: number) => Write,
  everyMs: number,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  const count = Math.round((seconds * 1000) / everyMs);
  const latencies = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const due = started + number * everyMs;
      await sleep(Math.max(0, due - performance.now()));
      // From the moment at which it was due: one that waits for a connection is late, too.
      await send(url, agent, writeOf(number));
      return performance.now() - due;
    }),
  );
  agent.destroy();
  return latencies;
}

function send(url: string, agent: Agent, { path, headers, body, status }: Write): Promise<void> {
  const { hostname, port } = new URL(url);
  const length = { "Content-Length": body.length };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method: "POST", agent, headers: { ...headers, ...length } });
    outgoing.once("error", reject);
    outgoing.once("response", (answer) => {
      if (answer.statusCode !== status) reject(new Error(`POST ${path}: ${answer.statusCode}`));
      answer.resume().once("error", reject).once("end", resolve);
    });
    outgoing.end(body);
  });
}
