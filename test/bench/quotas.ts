// What quotas cost the submissions that claim places in them, and arms those that are given some.

import { linksOf, openSessions, pagesOfAnswers } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service } from "./service.ts";
import { formsOf, formTo, type Stored, type Write, writeFor } from "./submissions.ts";

/** More than are sent: each form is the first one of its session, and claims. */
const SESSIONS = 60_000;
const WARM_UPS = 6;
const ROUNDS = 9;

/** Each has this many arms. */
const ASSIGNMENTS = 2;
const ARMS = 4;

/** First submissions of the participants' page, over 16 connections, with and without quotas and arms. */
export async function quotas(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const [bare, some, many, drawing] = [
    await formsFor(service, {}),
    await formsFor(service, { quotas: cells(3, 100) }),
    await formsFor(service, { quotas: cells(5, 500) }),
    await formsFor(service, { assignments: assignments() }),
  ];
  /** How long a submission takes. */
  const ms = async (forms: () => Write) => 1000 / (await writeFor(service.url, forms, 1));
  const samples = await measure({ warmUps: WARM_UPS, rounds: ROUNDS }, async () => ({
    floor: await ms(bare.next),
    some: await ms(some.next),
    many: await ms(many.next),
    drawing: await ms(drawing.next),
  }));
  for (const [one, matching] of [
    [some, 3],
    [many, 5],
  ] as const) {
    const held = await one.held();
    if (held !== matching * one.sent()) throw new Error(`${one.sent()} submissions hold ${held} places.`);
  }
  const given = await drawing.given();
  if (given !== ASSIGNMENTS * drawing.sent()) throw new Error(`${drawing.sent()} submissions have ${given} arms.`);
  const against = "the same without quotas";
  return [
    compared(
      { what: "A submission that claims 3 places, of 100 quotas", against, unit: "ms", target: { atMost: 1.3 } },
      { value: samples.some, floor: samples.floor },
    ),
    compared(
      { what: "A submission that claims 5 places, of 500 quotas", against, unit: "ms", target: { atMost: 2 } },
      { value: samples.many, floor: samples.floor },
    ),
    compared(
      {
        what: `A submission that is given an arm of each of ${ASSIGNMENTS} assignments`,
        against: "the same without arms",
        unit: "ms",
        target: { atMost: 1.5 },
      },
      { value: samples.drawing, floor: samples.floor },
    ),
  ];
}

/** @param matching of them, which everybody who answers is in */
function cells(matching: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Quota ${index}`,
    when: { questionId: "age", ...(index < matching ? { atLeast: index } : { equals: 1000 + index }) },
    limit: 1_000_000,
  }));
}

function assignments(): object[] {
  return Array.from({ length: ASSIGNMENTS }, (_, index) => ({
    name: `Assignment ${index}`,
    arms: Array.from({ length: ARMS }, (_, arm) => ({ name: `Arm ${arm}` })),
  }));
}

/** The forms of a study. @param more of its content */
async function formsFor(service: Service, more: object) {
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  const { text } = await caller.call("PUT", `/screeners/${screenerId}/content`, {
    body: { pages: pagesOfAnswers("age"), ...more },
  });
  await caller.post("/screener-publications", { screenerId });
  await workspace.importPeople({ count: SESSIONS });
  await openSessions(workspace);
  const formOf = formTo(await linksOf(workspace, SESSIONS), formsOf(JSON.parse(text) as Stored));
  let sent = 0;
  return {
    next: () => formOf(sent++),
    sent: () => sent,
    async held() {
      const { items } = await caller.get<{ items: { held: number }[] }>(
        `/screeners/${screenerId}/quotas?pagination[limit]=500`,
      );
      return items.reduce((sum, one) => sum + one.held, 0);
    },
    async given() {
      const { items } = await caller.get<{ items: { inProgress: number }[] }>(`/screeners/${screenerId}/arms`);
      return items.reduce((sum, one) => sum + one.inProgress, 0);
    },
  };
}
