// Calls the service that timed-writes.ts measures: creates participants, then submits the participants' page. Before each it says
// what comes, and waits for the word; then it says how many there were.

import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { Caller } from "./caller.ts";
import { people } from "./people.ts";
import { formsOf, formTo, type Stored, writeFor } from "./submissions.ts";

const PARTICIPANTS = 1500;
const SESSIONS = 300;
const SECONDS = 4;

const { url, headers } = workerData as { url: string; headers: Record<string, string> };
const caller = new Caller(url, headers, 8);
const port = parentPort!;

async function measured(kind: string, act: () => Promise<number>): Promise<void> {
  port.postMessage(kind);
  await once(port, "message");
  port.postMessage(await act());
}

const everybody = people(PARTICIPANTS + 300);
const create = (rows: typeof everybody) =>
  Promise.all(rows.map((body) => caller.call("POST", "/participants", { body })));
await create(everybody.slice(PARTICIPANTS));
await measured("created", async () => (await create(everybody.slice(0, PARTICIPANTS))).length);

const content = {
  pages: [
    {
      questions: [
        { key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?", required: true },
        { key: "town", _type: "ScreenerTextQuestion", prompt: "Which town do you live in?" },
        {
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "Tea?",
          options: [{ text: "Tea" }, { text: "No" }],
        },
      ],
    },
    { questions: [{ key: "day", _type: "ScreenerTextQuestion", prompt: "How does it begin?" }] },
  ],
};
const { id: screenerId } = await caller.post<{ id: string }>("/screeners", { title: "Bench" });
const stored = await caller.call("PUT", `/screeners/${screenerId}/content`, { body: content });
await caller.post("/screener-publications", { screenerId });
await caller.call("POST", "/screener-participants-import", {
  body: { screenerId, participants: everybody.slice(0, SESSIONS) },
});
const sessions = await caller.post<{ screenerSessionLink: string }[]>("/screener-sessions", { screenerId });
const paths = sessions.map(({ screenerSessionLink }) => new URL(screenerSessionLink).pathname);
const forms = formTo(paths, formsOf(JSON.parse(stored.text) as Stored));
await writeFor(url, forms, 1);
await measured("submitted", async () => Math.round((await writeFor(url, forms, SECONDS)) * SECONDS));
caller.close();
