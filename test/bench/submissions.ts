// Submissions of the participants' page, one after the other over a few connections that stay open.

import { Agent, request } from "node:http";

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

/** Sends forms over 16 connections for some seconds. @returns how many were taken a second */
export async function submitFor(url: string, paths: string[], forms: Buffer[], seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { hostname, port } = new URL(url);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const started = performance.now();
  const end = started + seconds * 1000;
  let sent = 0;
  const send = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const path = paths[number % paths.length]!;
      const form = forms[Math.floor(number / paths.length) % forms.length]!;
      const outgoing = request({
        hostname,
        port,
        path,
        method: "POST",
        agent,
        headers: { ...headers, "Content-Length": form.length },
      });
      outgoing.once("error", reject);
      outgoing.once("response", (answer) => {
        if (answer.statusCode !== 303) reject(new Error(`POST ${path}: ${answer.statusCode}`));
        answer.resume().once("error", reject).once("end", resolve);
      });
      outgoing.end(form);
    });
  const lane = async () => {
    while (performance.now() < end) await send(sent++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return (sent * 1000) / (performance.now() - started);
}
