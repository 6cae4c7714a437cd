// How soon a page of a table of answers is there, at 100,000 sessions: unfiltered, with two filters by answers, and with a search for words.

import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { pagesOfAnswers } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import { fillResponses } from "./many-responses.ts";
import { Service } from "./service.ts";

const SESSIONS = 100_000;
const QUESTIONS = 4;
const ROUNDS = 15;
const WARM_UPS = 3;

export async function answerTables(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  await caller.call("PUT", `/screeners/${screenerId}/content`, { body: { pages: pagesOfAnswers() } });
  await caller.post("/screener-publications", { screenerId });
  fillResponses(workspace.path, SESSIONS * QUESTIONS);
  vary(workspace.path);
  const timed = async (query: string, total: number): Promise<number[]> => {
    const samples: number[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const { ms, text } = await caller.call("GET", `/screeners/${screenerId}/answers?${query}`);
      const page = JSON.parse(text) as { total: number };
      if (page.total !== total)
        throw new Error(`${query} has found ${page.total}, and not ${total}: ${text.slice(0, 500)}`);
      if (round >= 0) samples.push(ms);
    }
    return samples;
  };
  const figure = (what: string, atMost: number, samples: number[]): Figure => ({
    ...{ what, unit: "ms", value: median(samples), target: { atMost }, samples: { ms: samples } },
  });
  const all = await timed("", SESSIONS);
  const deep = await timed(`pagination[offset]=${SESSIONS - 100}`, SESSIONS);
  const two = await timed("filter[answers.age][lt]=50&filter[answers.drink][eq]=Coffee", SESSIONS / 4);
  const texts = await timed("filter[answers.town][contains]=wn%201&filter[answers.age][gte]=50", 5550);
  const [first] = await timed("filter[answers.day][matches]=town%2077", 1111);
  const words = await timed("filter[answers.day][matches]=town%2077", 1111);
  workspace.close();
  return [
    figure("First page of a table of answers, 100,000 sessions", 50, all),
    figure("– the last page", 50, deep),
    figure("– with two filters by answers", 300, two),
    figure("– with two filters, one of them by a piece of a text", 300, texts),
    figure("– with a search for words, before all are in the index", 1000, [first!]),
    figure("– the same search", 300, words),
  ];
}

/** Not everybody answers the same. */
function vary(path: string): void {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  immediate(db, () => {
    db.run("UPDATE screener_response SET answer = screener_session_id % 100 WHERE id & 4095 = 0");
    db.run(
      `UPDATE screener_response SET answer = '[{"text":"Coffee","isWriteIn":false}]' WHERE id & 4095 = 2 AND (screener_session_id / 100) % 2 = 0`,
    );
  });
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
