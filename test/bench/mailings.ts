// How fast mailings are planned, against an import of as many people; and whether those who answer notice that mail leaves.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { linksOf, openSessions, pagesOfAnswers } from "./answers.ts";
import { type Figure, quantile } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, submit, type Workspace } from "./service.ts";
import { formsOf, formTo, type Stored, writeEvery } from "./submissions.ts";

const PLANNED = 100_000;
const ROUNDS = 3;
const SESSIONS = 2000;
const SENT_A_SECOND = 100;
const SUBMITTED_A_SECOND = 50;
const SECONDS = 15;

/** A relay on this machine that takes everything, and counts it. */
class Sink {
  count = 0;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, done) => {
      stream.resume().once("end", () => {
        this.count++;
        done();
      });
    },
  });

  async start(): Promise<Record<string, string>> {
    // A service that ends may hang up.
    this.#server.on("error", () => {});
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server.server, "listening");
    const { port } = this.#server.server.address() as AddressInfo;
    // A little more than is asked for: what is measured is whether it is reached.
    const perMinute = String(SENT_A_SECOND * 66);
    return { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "bench@example.org", MAIL_PER_MINUTE: perMinute };
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }
}

const invitation = ({ screenerId }: Workspace, more: object) => ({
  ...{ screenerId, name: "Bench", kind: "INVITATION" },
  ...{ subject: "For {{name|you}}", body: "Dear {{name|friend}},\n\n{{link}}" },
  ...more,
});

export async function mailings(): Promise<Figure[]> {
  using sink = new Sink();
  await using service = await Service.cold("threads", 1, 1, await sink.start());
  return [...(await planning(service)), ...(await sending(service, sink))];
}

/** A mailing to 100,000 people: the plan, and the plan with its messages. */
async function planning(service: Service): Promise<Figure[]> {
  const samples = await measure({ warmUps: 1, rounds: ROUNDS }, async () => {
    const workspace = await service.workspace();
    await study(workspace);
    const { ms: floor } = await workspace.importPeople({ count: PLANNED });
    const body = (dryRun: boolean) => invitation(workspace, { dryRun, at: "2099-01-01T00:00:00.000Z" });
    const { ms: plan } = await submit(workspace.caller, "/mailings", { body: body(true) }, "PLANNED");
    const { ms: written } = await submit(workspace.caller, "/mailings", { body: body(false) });
    workspace.close();
    return { floor, plan, written };
  });
  const figure = (what: string, value: number[]) =>
    compared({ what, against: "importing them", unit: "ms", target: { atMost: 0.5 } }, { value, floor: samples.floor });
  return [
    figure("A plan of a mailing to 100,000 people (threads)", samples.plan),
    figure("The same, with its messages in the outbox", samples.written),
  ];
}

/** Publishes a screener. @returns its content */
async function study({ caller, screenerId }: Workspace): Promise<Stored> {
  const { text } = await caller.call("PUT", `/screeners/${screenerId}/content`, { body: { pages: pagesOfAnswers() } });
  await caller.post("/screener-publications", { screenerId });
  return JSON.parse(text) as Stored;
}

/** Submissions while nothing else happens, and while a mailing of another workspace goes out. */
async function sending(service: Service, sink: Sink): Promise<Figure[]> {
  const [answered, mailed] = [await service.workspace(), await service.workspace()];
  const stored = await study(answered);
  await answered.importPeople({ count: SESSIONS });
  await openSessions(answered);
  const formOf = formTo(await linksOf(answered), formsOf(stored));
  let number = 0;
  const submissions = (seconds: number) =>
    writeEvery(service.url, () => formOf(number++), 1000 / SUBMITTED_A_SECOND, seconds);
  await submissions(5);
  const quiet = await submissions(SECONDS);
  await study(mailed);
  await mailed.importPeople({ count: SENT_A_SECOND * SECONDS * 4 });
  await submit(mailed.caller, "/mailings", { body: invitation(mailed, {}) });
  while (!sink.count) await sleep(10);
  const [before, since] = [sink.count, performance.now()];
  const busy = await submissions(SECONDS);
  const rate = ((sink.count - before) * 1000) / (performance.now() - since);
  answered.close();
  mailed.close();
  const p99 = (latencies: number[]) => quantile(latencies, 0.99);
  return [
    {
      ...{ what: "Messages of a mailing to a relay on this machine", unit: "req/s", value: rate },
      target: { atLeast: SENT_A_SECOND },
    },
    {
      ...{ what: "The slowest submissions meanwhile (p99)", against: "without mail", unit: "ms" },
      ...{ value: p99(busy), floor: p99(quiet), target: { atMost: 2 } },
    },
  ];
}
