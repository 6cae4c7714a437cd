// Keeps a copy of a workspace's participants, screener participants and sessions in a SQLite file, by following its events. Needs
// Node 24 or later, and nothing else. docs/follow-the-feed.md explains it.

import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import {
  apply,
  type Cursor,
  cursor,
  type Event,
  follows,
  type Item,
  inTransaction,
  keepCursor,
  openMirror,
  type Row,
  takeLists,
} from "./mirror.ts";

const USAGE = `node follow-feed.ts MIRROR.sqlite [--from-start]

It begins with the lists; with --from-start it begins with the first event, of a workspace that keeps them all.

Environment: SCREENING_URL, SCREENING_KEY, SCREENING_SECRET. It goes on until it is stopped, and may be stopped at any moment.`;

const NDJSON = { Accept: "application/x-ndjson" };

const { SCREENING_URL: url, SCREENING_KEY: key, SCREENING_SECRET: secret } = process.env;
const [file, from] = process.argv.slice(2);
if (!url || !key || !secret || !file) {
  console.error(USAGE);
  process.exit(2);
}

openMirror(file);
for (;;) {
  try {
    await follow();
  } catch (error) {
    // The connection broke while a list was read: once more, from the last cursor.
    if (!(error instanceof TypeError)) throw error;
    await sleep(1000);
  }
}

/** Takes the next events, and waits for them if there are none. */
async function follow(): Promise<void> {
  const last = cursor();
  if (!last && from !== "--from-start") return startAnew();
  const query = new URLSearchParams({ limit: "200", ...(last?.id && { after: last.id }) });
  const response = await call(`/events/feed?${query}`, { Prefer: "wait=30" });
  if (response.status === 410) return startAnew();
  const page = (await response.json()) as { items: Event[]; cursor: string | null; logId: string };
  const { items, logId } = page;
  // A backup was restored, or events are gone that this copy does not have.
  if (!follows(last, page)) return startAnew();
  await inTransaction(async () => {
    for (const event of items) {
      if (await apply(event, { rows: rowsOf, participant })) continue;
      console.log(`The rows of job ${event.jobId} are gone: the lists are read instead.`);
      await takeLists(list);
    }
    keepCursor({ id: page.cursor, sequence: items.at(-1)?.sequence ?? last?.sequence ?? 0, logId }, items);
  });
  for (const { createdAt, type, resource, actor } of items)
    console.log(`${createdAt} ${type} ${resource.id} by ${actor.name}`);
}

/** Takes everything from the lists, and goes on with what comes after the last event. */
async function startAnew(): Promise<void> {
  const first = "/events?pagination[limit]=1";
  const { total } = (await (await call(first)).json()) as { total: number };
  const last = await call(`${first}&pagination[offset]=${Math.max(total - 1, 0)}`);
  const { items } = (await last.json()) as { items: (Event & Cursor)[] };
  const [event] = items;
  // A workspace that is new has no event yet, or few: the feed begins with the first.
  const { logId } = event ?? ((await (await call("/events/feed?limit=1")).json()) as Cursor);
  await inTransaction(async () => {
    await takeLists(list);
    keepCursor({ id: event?.id ?? null, sequence: event?.sequence ?? 0, logId }, []);
  });
}

/** The rows of a job; undefined if they are no longer kept. */
async function rowsOf(jobId: string): Promise<AsyncIterable<Row> | undefined> {
  for (;;) {
    const response = await call(`/jobs/${jobId}/rows`, NDJSON);
    if (response.status === 410 || response.status === 404) return undefined;
    if (response.ok) return lines<Row>(response);
    // 409: the event is there a moment before the job has ended.
    await call(`/jobs/${jobId}`, { Prefer: "wait=60" });
  }
}

/** A participant as it is now; undefined: it is gone. */
async function participant(id: string): Promise<Item | undefined> {
  const response = await call(`/participants/${id}`);
  return response.ok ? ((await response.json()) as Item) : undefined;
}

async function* list(path: string): AsyncGenerator<Item> {
  yield* lines<Item>(await call(path, NDJSON));
}

async function* lines<T>(response: Response): AsyncGenerator<T> {
  if (!response.body) return;
  const input = Readable.fromWeb(response.body as ReadableStream);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line) yield JSON.parse(line);
}

/** Calls the service, until it answers with something that is no passing trouble. */
async function call(path: string, headers: Record<string, string> = {}): Promise<Response> {
  for (;;) {
    const credentials = { "X-Service-Api-Key": key!, "X-Service-Api-Secret": secret! };
    const response = await fetch(url + path, { headers: { ...credentials, ...headers } }).catch(() => undefined);
    if (response && (response.ok || [404, 409, 410].includes(response.status))) return response;
    if (response && response.status < 500 && response.status !== 429)
      throw new Error(`${path}: ${await response.text()}`);
    await sleep(Number(response?.headers.get("Retry-After") ?? 1) * 1000);
  }
}
