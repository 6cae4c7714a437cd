// The walks of CONTRIBUTING.md, on a copy of the code: a new type of question, kind of job and type of event need what is said there,
// and nothing else.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { openDevice, startBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { PASSWORD } from "../support/console.ts";
import { unfold } from "../support/console-browser.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { copyOfCode } from "../support/releases/code.ts";

const run = promisify(execFile);
const browser = startBrowser();
const root = copyOfCode(".npmrc", "clients");

const read = (file: string) => readFileSync(join(root, file), "utf8");
const write = (file: string, text: string) => writeFileSync(join(root, file), text);

/** Changes a file: each text must be in it. */
function change(file: string, ...changes: [from: string, to: string][]): void {
  let text = read(file);
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${file} has ${from}`);
    text = text.replace(from, to);
  }
  write(file, text);
}

test("a new type of question, kind of job and type of event compile, are in the client's types and in the console, and work", async () => {
  // One module, and one entry in the registry.
  const types = "src/nouns/question-types";
  const module = read(`${types}/numeric.tsx`).replaceAll("Numeric", "Slider").replaceAll("numeric", "slider");
  write(
    `${types}/slider.tsx`,
    module.replace('label: "Number"', 'label: "Slider"').replace("entry-slider", "entry-number"),
  );
  change(
    `${types}/registry.ts`,
    ["import { textType }", 'import { sliderType } from "./slider.tsx";\nimport { textType }'],
    ["const types = [\n", "const types = [\n  sliderType,\n"],
  );
  // One definition, one entry in the list of kinds, and one endpoint.
  write(
    "src/nouns/screeners/closing-job.ts",
    `// The job that closes a screener.

import * as v from "valibot";
import { defineJob } from "../../engine/run/define-job.ts";

export const closingJob = defineJob({
  kind: "SCREENER_CLOSING",
  label: "Closing of a study",
  events: { succeeded: "screener.closed", failed: "job.failed" },
  payload: v.object({ screenerId: v.string() }),
  summary: {},
  run: (job, { screenerId }) =>
    job.workspaces.write(job.workspaceUid, (db) =>
      job.applyOnce(db, () => {
        db.run("UPDATE screener SET acceptance = 'CLOSED' WHERE uid = ?", screenerId);
        return { summary: {} };
      }),
    ),
});
`,
  );
  change(
    "src/api/job-kinds.ts",
    [
      "import { deletionJob }",
      'import { closingJob } from "../nouns/screeners/closing-job.ts";\nimport { deletionJob }',
    ],
    ["jobKinds = [", "jobKinds = [closingJob, "],
  );
  change(
    "src/nouns/screeners/routes.ts",
    ["import { deletionJob }", 'import { closingJob } from "./closing-job.ts";\nimport { deletionJob }'],
    [
      "export const screenerRoutes: AnyEndpoint[] = [",
      `const close = defineEndpoint({
  method: "post",
  path: "/screeners/:id/close",
  operationId: "closeScreener",
  scopes: ["author"],
  tag,
  summary: "Close a screener",
  isJob: true,
  replies: { 200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } } },
  examples: { closed: { reply: exampleJob } },
  problems: [],
  async handle(request) {
    return replyWithJobItself(request, await submitJob(request, closingJob, { screenerId: request.params.id! }));
  },
});

export const screenerRoutes: AnyEndpoint[] = [close, `,
    ],
  );
  // One declaration.
  change("src/events/types.ts", [
    "export const EVENTS = {",
    `export const EVENTS = {
  "screener.closed": { kind: "studies", touches: "nothing", about: "Screener", says: "A screener was closed.", inWords: "{study} was closed." },`,
  ]);
  write(
    "src/events/types.ts",
    `${read("src/events/types.ts")}
// @ts-expect-error: an event that does not say whom it touches does not compile
void ({ kind: "studies", about: "Screener", says: "", inWords: "" } satisfies EventDeclaration);
`,
  );

  const environment = { ...process.env, NODE_COMPILE_CACHE: "" };
  await run("npm", ["run", "-s", "client"], { cwd: root, env: environment });
  const client = read("src/client/types.ts");
  for (const name of ["ScreenerSliderQuestionInput", '"SCREENER_CLOSING"', '"screener.closed"'])
    assert.ok(client.includes(name), `the client's types have ${name}`);
  // While it runs.
  const compiles = run(join(root, "node_modules/.bin/tsc"), ["--noEmit"], { cwd: root });

  const installation = install();
  const web = new ServiceProcess("src/web.ts", {
    env: { DATA_DIR: installation.dataDir, PORT: "0", HOST: "127.0.0.1", REDIS_URL: "" },
    root: pathToFileURL(`${root}/`),
  });
  after(() => web.kill());
  const [, url = ""] = await web.says(/^Listening on (https?:\S+)/m);
  await web.says(/A first workspace is ready/);
  const { workspace, text, ...credentials } = installation.firstCredentials();
  const caller = new Client(url, workspace, credentials);
  const screenerId = await caller.screener();
  const question = { id: "q", key: "mood", _type: "ScreenerSliderQuestion", prompt: "How are you?", min: 0, max: 10 };
  const draft = await caller.call("PUT", `/screeners/${screenerId}/content`, {
    body: { pages: [{ title: "One", questions: [question] }] },
    headers: { "If-Match": '"0"' },
  });
  assert.equal(draft.status, 200, draft.text);
  assert.equal((await caller.post("/screener-publications", { screenerId })).status, 201);
  await caller.import(screenerId, [{ externalUid: "P-1", email: "p@example.org", name: "P" }]);
  const [session] = (await caller.post("/screener-sessions", { screenerId })).body;
  const questionId = draft.body.pages[0].questions[0].id;
  const answered = await caller.post(`/screener-sessions/${session.id}/responses`, {
    responses: [{ screenerQuestionId: questionId, answer: 7 }],
    complete: true,
  });
  assert.deepEqual([answered.status, answered.body.state], [200, "COMPLETED"], answered.text);
  const codebook = await caller.get(`/screeners/${screenerId}/codebook`, { Accept: "text/csv" });
  assert.match(codebook.text, /mood,How are you\?,slider/);

  const close = () => caller.post(`/screeners/${screenerId}/close`, undefined, { "Idempotency-Key": "close" });
  const [closed, again] = [await close(), await close()];
  assert.deepEqual([closed.status, closed.body.kind, closed.body.status], [200, "SCREENER_CLOSING", "SUCCEEDED"]);
  assert.equal(again.body.id, closed.body.id);
  assert.equal((await caller.get(`/screeners/${screenerId}`)).body.acceptance, "CLOSED");
  assert.equal((await caller.get("/jobs?filter[kind][eq]=SCREENER_CLOSING")).body.total, 1);
  assert.equal((await caller.get("/events?filter[type][eq]=screener.closed")).body.total, 1);

  // What people see of all three.
  const { page } = await openDevice(await browser, url);
  await page.goto(url + /\/console\/sign-in\/[\w-]{43}/.exec(text)![0]);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  await page.goto(`${url}/console/studies/${screenerId}/build`);
  await unfold(page, "How are you?");
  assert.equal(await page.getByLabel("Answer").locator("option:checked").textContent(), "Slider");
  assert.equal(await page.getByLabel("Largest number").inputValue(), "10");
  await page.getByRole("button", { name: "Slider", exact: true }).click();
  await page.getByRole("button", { name: /^2\. /, expanded: true }).waitFor();
  await page.goto(`${url}/console/jobs`);
  await page.getByText("Closing of a study").waitFor();
  await page.goto(`${url}/console/activity`);
  await page.getByText("was closed.").waitFor();
  await compiles;
});
