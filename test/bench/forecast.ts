// How long a forecast of quotas takes: 100,000 sessions with four answers each, and 100 quotas that overlap.

import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { type Figure, median } from "./figures.ts";
import { fillResponses } from "./many-responses.ts";
import { measure } from "./rounds.ts";
import { Service } from "./service.ts";

const SESSIONS = 100_000;
const QUOTAS = 100;
const ROUNDS = 3;

const content = {
  pages: [
    {
      title: "About you",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [
        { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?", required: true },
        { key: "town", _type: "ScreenerTextQuestion", prompt: "Which town do you live in?" },
      ],
    },
    {
      title: "Your days",
      questions: [
        {
          id: "drink",
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "What do you drink in the morning?",
          options: [
            { id: "tea", text: "Tea" },
            { id: "coffee", text: "Coffee" },
          ],
        },
        { key: "day", _type: "ScreenerTextQuestion", prompt: "How does it begin?" },
      ],
    },
  ],
  quotas: [
    { name: "Everybody", when: null, limit: 60_000 },
    { name: "Tea", when: { questionId: "drink", equals: "tea" }, limit: 40_000 },
    { name: "Young or coffee", when: { any: [{ questionId: "age", lessThan: 30 }, drinks("coffee")] }, limit: 30_000 },
    ...Array.from({ length: QUOTAS - 3 }, (_, index) => ({
      name: `Cell ${index}`,
      when: { all: [aged(Math.floor(index / 2)), drinks(index % 2 ? "tea" : "coffee")] },
      limit: 1000,
    })),
  ],
};

function aged(index: number) {
  const from = 18 + Math.floor(index * 1.5);
  return {
    all: [
      { questionId: "age", atLeast: from },
      { questionId: "age", lessThan: from + 2 },
    ],
  };
}

function drinks(what: string) {
  return { questionId: "drink", equals: what };
}

export async function forecast(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  const put = await caller.call("PUT", `/screeners/${screenerId}/content`, { body: content });
  if (put.status !== 200) throw new Error(put.text);
  await caller.post("/screener-publications", { screenerId });
  fillResponses(workspace.path, SESSIONS * 4);
  varyAnswers(workspace.path);
  const samples = await measure({ warmUps: 1, rounds: ROUNDS }, async () => {
    const { ms, text } = await caller.call("POST", `/screeners/${screenerId}/quota-forecast`, { body: {} });
    const { replayed, quotas } = JSON.parse(text) as { replayed: number; quotas: { taken: number }[] };
    const isRight = replayed === SESSIONS && quotas.length === QUOTAS && quotas.every(({ taken }) => taken > 0);
    if (!isRight) throw new Error(text.slice(0, 500));
    return { ms };
  });
  workspace.close();
  const what = `Forecast of ${SESSIONS.toLocaleString("en")} sessions × ${QUOTAS} quotas`;
  return [{ what, unit: "ms", value: median(samples.ms), target: { atMost: 8000 }, samples }];
}

/** Ages from 15 to 94, and tea or coffee, in no order. */
function varyAnswers(path: string): void {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  const at = "(id >> 12) * 2654435761 >> 9";
  immediate(db, () =>
    db.exec(`UPDATE screener_response SET answer = CASE id & 4095 WHEN 0 THEN 15 + ((${at}) % 80)
      ELSE iif((${at}) / 80 % 2, '[{"text":"Tea","isWriteIn":false}]', '[{"text":"Coffee","isWriteIn":false}]') END
      WHERE id & 4095 IN (0, 2)`),
  );
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
