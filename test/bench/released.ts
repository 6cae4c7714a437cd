// How fast the participant's page is beside the last release's: its first page, and what is sent from it.

import { lastRelease } from "../support/releases/code.ts";
import { linksOf, openSessions, pagesOfAnswers } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, temporaryFolder } from "./service.ts";
import { formsOf, formTo, type Stored, type Write, writeFor } from "./submissions.ts";
import { load, requireWrk } from "./wrk.ts";

const SESSIONS = 1000;
const WARM_UPS = 6;
const ROUNDS = 9;

/** Both are asked in turns. The time of the processor is compared: threads of the service may have another core. */
export async function released(): Promise<Figure[]> {
  requireWrk();
  await using now = await Service.start("threads");
  await using before = await Service.released(lastRelease(temporaryFolder()));
  const [value, floor] = [await prepare(now), await prepare(before)];
  const pages = await measure({ warmUps: WARM_UPS, rounds: ROUNDS }, async () => ({
    value: await value.pages(),
    floor: await floor.pages(),
  }));
  const submissions = await measure({ warmUps: WARM_UPS, rounds: ROUNDS }, async () => ({
    value: await value.submissions(),
    floor: await floor.submissions(),
  }));
  const about = { against: "the last release", unit: "req/cpu-s", target: { atLeast: 0.95 } } as const;
  return [
    compared({ what: "The participant's page, by processor time", ...about }, pages),
    compared({ what: "Submissions of the page, by processor time", ...about }, submissions),
  ];
}

/** A study with open sessions, and how often its pages are shown, and taken, in a second of the processor. */
async function prepare(service: Service) {
  const workspace = await service.workspace(service.url, service.firstClient());
  const { caller, screenerId } = workspace;
  const { text } = await caller.call("PUT", `/screeners/${screenerId}/content`, { body: { pages: pagesOfAnswers() } });
  await caller.post("/screener-publications", { screenerId });
  await workspace.importAndWait(SESSIONS, 0);
  await openSessions(workspace);
  const links = await linksOf(workspace, SESSIONS);
  workspace.close();
  const formOf = formTo(links, formsOf(JSON.parse(text) as Stored));
  let sent = 0;
  const forms = (): Write => formOf(sent++);
  const perCpuSecond = async (perSecond: () => Promise<number>) => {
    const before = service.web.cpuSeconds();
    const rate = await perSecond();
    return rate / (service.web.cpuSeconds() - before);
  };
  return {
    pages: () => perCpuSecond(() => load(service.url + links[0]!, {}, 1)),
    submissions: () => perCpuSecond(() => writeFor(service.url, forms, 1)),
  };
}
