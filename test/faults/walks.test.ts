// The walks of CONTRIBUTING.md, on a copy of the code: a new type of question, kind of job and type of event need what is said there,
// and nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { install, ServiceProcess } from "../support/process.ts";
import { copyOfCode } from "../support/releases/code.ts";

const root = copyOfCode(".npmrc");

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

test("a new type of question, kind of job and type of event compile, are in the client's types, and work", async () => {
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
    ["const types = [textType,", "const types = [sliderType, textType,"],
  );
  // One definition, and one entry in the list of kinds.
  const job = read("src/nouns/screeners/job.ts")
    .replaceAll("deletionJob", "closingJob")
    .replace("_DELETION", "_CLOSING");
  write("src/nouns/screeners/closing-job.ts", job.replace("Deletion of a study", "Closing of a study"));
  change(
    "src/api/job-kinds.ts",
    [
      "import { deletionJob }",
      'import { closingJob } from "../nouns/screeners/closing-job.ts";\nimport { deletionJob }',
    ],
    ["jobKinds = [", "jobKinds = [closingJob, "],
  );
  // One declaration.
  change("src/events/types.ts", [
    "export const EVENTS = {",
    `export const EVENTS = {
  "screener.closed": { kind: "studies", touches: "nothing", says: "A screener was closed.", inWords: "{study} was closed." },`,
  ]);
  write(
    "src/events/types.ts",
    `${read("src/events/types.ts")}
// @ts-expect-error: an event that does not say whom it touches does not compile
void ({ kind: "studies", says: "", inWords: "" } satisfies EventDeclaration);
`,
  );

  const environment = { ...process.env, NODE_COMPILE_CACHE: "" };
  execFileSync("npm", ["run", "-s", "client"], { cwd: root, env: environment });
  const client = read("src/client/types.ts");
  for (const name of ["ScreenerSliderQuestionInput", '"SCREENER_CLOSING"', '"screener.closed"'])
    assert.ok(client.includes(name), `the client's types have ${name}`);
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--noEmit"], { cwd: root, encoding: "utf8" });

  const installation = install();
  const web = new ServiceProcess("src/web.ts", {
    env: { DATA_DIR: installation.dataDir, PORT: "0", HOST: "127.0.0.1", REDIS_URL: "" },
    root: pathToFileURL(`${root}/`),
  });
  after(() => web.kill());
  const [, url = ""] = await web.says(/^Listening on (https?:\S+)/m);
  const caller = installation.workspace().client({ url });
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
});
