// How fast people join by open links, against how fast those send a page who have a link of their own.

import { pagesOfAnswers } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, submit } from "./service.ts";
import { formsOf, formTo, type Stored, type Write, writeFor } from "./submissions.ts";

const WARM_UPS = 3;
const ROUNDS = 7;
const SESSIONS = 2000;

/** From one address 300 may join by a link in a minute: more links than these would never all be joined by. */
const LINKS = 300;

const shown = () => `&version=1&shown=${Date.now() - 5000}`;

/** First pages of open links, over 16 connections: each makes a participant, an assignment and a session with its answers. */
export async function joins(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  const body = { pages: pagesOfAnswers() };
  const { text } = await caller.call("PUT", `/screeners/${screenerId}/content`, { body });
  await caller.post("/screener-publications", { screenerId });
  await workspace.importPeople({ count: SESSIONS });
  await submit(caller, "/screener-sessions", { body: { screenerId } });
  const forms = formsOf(JSON.parse(text) as Stored);
  const sessions = await caller.get<{ items: { screenerSessionLink: string }[] }>(
    "/screener-sessions?pagination[limit]=500",
  );
  const pageOf = formTo(
    sessions.items.map(({ screenerSessionLink }) => new URL(screenerSessionLink).pathname),
    forms,
  );
  const links: string[] = [];
  for (let made = 0; made < LINKS; made++) {
    const { link } = await caller.post<{ link: string }>("/screener-links", { screenerId, name: `Poster ${made}` });
    links.push(new URL(link).pathname);
  }
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  let joined = 0;
  let sent = 0;
  const join = (): Write => ({
    path: links[joined++ % LINKS]!,
    headers,
    body: Buffer.concat([forms[0]!, Buffer.from(`${shown()}&order=${crypto.randomUUID()}`)]),
    status: 303,
  });
  // What both forms have beside the answers: so both have the same to do.
  const submission = (): Write => {
    const one = pageOf(sent++);
    return { ...one, body: Buffer.concat([one.body, Buffer.from(shown())]) };
  };
  const samples = await measure({ warmUps: WARM_UPS, rounds: ROUNDS }, async () => {
    const value = await writeFor(service.url, join, 1);
    return { value, floor: await writeFor(service.url, submission, 1) };
  });
  // What was measured is what was asked for.
  const { total } = await caller.get<{ total: number }>("/participants?pagination[limit]=1");
  if (total !== SESSIONS + joined) throw new Error(`${total - SESSIONS} have joined, and ${joined} forms were sent.`);
  const what = "Joining by open links, 16 connections";
  const against = "submissions of the participants' page";
  return [compared({ what, against, unit: "req/s", target: { atLeast: 0.6 } }, samples)];
}
