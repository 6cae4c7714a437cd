// How large a participant's page of ten questions is, and how fast it is shown.

import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { MAX_PAGE_KIB, tenQuestions } from "../support/ten-questions.ts";
import { linksOf, openSessions } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, temporaryFolder } from "./service.ts";
import { Spawned } from "./spawn.ts";
import { load, requireWrk } from "./wrk.ts";

const WARM_UPS = 6;
const ROUNDS = 9;
const GZIP = { "Accept-Encoding": "gzip" };
const KIB = 1024;

export async function asked(): Promise<Figure[]> {
  requireWrk();
  await using service = await Service.start("threads");
  const log = join(temporaryFolder(), "floor.log");
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  await caller.call("PUT", `/screeners/${screenerId}/content`, {
    body: { pages: [{ title: "Ten", questions: tenQuestions }] },
  });
  await caller.post("/screener-publications", { screenerId });
  await workspace.importPeople({ count: 1 });
  await openSessions(workspace);
  const [link] = await linksOf(workspace, 1);
  const url = service.url + link;
  const bytes = await sizeOf(url);
  const koa = new Spawned("test/bench/floor-koa.ts", [], { NODE_ENV: "production" }, log);
  const [, koaUrl] = await koa.says(/^Listening on (\S+)$/m);
  // Who is alone is not limited: the service's own workspace has sent requests, too.
  await sleep(1500);
  const samples = await measure({ warmUps: WARM_UPS, rounds: ROUNDS }, async () => ({
    value: await perCpuSecond(service.web, url),
    floor: await perCpuSecond(koa, koaUrl!),
  }));
  await koa.end();
  const what = "A participant's page of ten questions, gzipped";
  return [
    { what, unit: "KiB", value: bytes / KIB, target: { atMost: MAX_PAGE_KIB } },
    compared(
      {
        what: "– shown, by processor time",
        ...{ against: "plain Koa hello", unit: "req/cpu-s", target: { atLeast: 0.015 } },
      },
      samples,
    ),
  ];
}

/** As it is sent. @throws where another page is */
async function sizeOf(url: string): Promise<number> {
  const chunks: Buffer[] = await new Promise((resolve, reject) => {
    get(url, { headers: GZIP }, (answer) => answer.toArray().then(resolve, reject)).once("error", reject);
  });
  const sent = Buffer.concat(chunks);
  const questions = gunzipSync(sent)
    .toString()
    .match(/name="question"/g)?.length;
  if (questions !== tenQuestions.length) throw new Error(`The page has ${questions} questions.`);
  return sent.length;
}

async function perCpuSecond(process: Spawned, url: string): Promise<number> {
  const before = process.cpuSeconds();
  const perSecond = await load(url, GZIP, 1);
  return perSecond / (process.cpuSeconds() - before);
}
