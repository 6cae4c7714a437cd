// Every operation is described with an example that works: its request is sent to a real service, with real ids instead of
// the example's, and its reply is one that the operation could give.

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobKinds } from "../../src/api/job-kinds.ts";
import type { Client } from "../support/client.ts";
import { Described, type Media } from "../support/description.ts";
import { bodyOf, prepare, sendExample, shownBy } from "../support/examples.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";

// Its log would be full of errors: a job fails on purpose.
const relay = await startRelay();
const service = await startService({ config: { logLevel: "silent", mail: relay.config() } });
const described = new Described((await service.workspace().get("/openapi.json")).body);

const HOW = "see `Example` in src/http/example.ts";

test("every operation has an example of its request and its reply", () => {
  const missing: string[] = [];
  for (const [operationId, { path, operation }] of described.operations) {
    const shown = shownBy(operation);
    if (!shown.length) missing.push(`${operationId} has no example: give its endpoint \`examples\`, ${HOW}`);
    for (const parameter of operation.parameters.filter((one) => one.in === "path"))
      if (!("example" in parameter)) missing.push(`src/base/examples.ts has no id for the path ${path}`);
    for (const { name } of operation.requestBody ? shown : [])
      if (!bodyOf(operation, name)) missing.push(`the example ${name} of ${operationId} has no body: ${HOW}`);
  }
  assert.deepEqual(missing, []);
});

/** Whether a value fits; else why not. */
function faults(media: Media, value: unknown): string {
  const validate = described.compile(media.schema);
  return validate(value) ? "" : JSON.stringify(validate.errors);
}

for (const [operationId, endpoint] of described.operations) {
  for (const { name, status, type, media, reply } of shownBy(endpoint.operation)) {
    test(`the example "${name}" of ${operationId} works`, async () => {
      assert.equal(faults(media, reply), "", `the reply of the example does not fit its schema: ${HOW}`);
      const { client, ids, end } = await prepare(service, described, operationId);
      try {
        const answer = await sendExample(endpoint, { name, media }, { client, ids });
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.headers.get("content-type")?.replace(/;.*/, "") ?? "", type);
        assert.equal(faults(media, answer.body ?? answer.text), "", answer.text);
      } finally {
        end();
        await service.drain();
        await lookAtJobs(client);
      }
    });
  }
}

/** The kinds of the jobs whose summaries were compared with the schema. */
const compared = new Set<string>();

/** Compares all jobs of a workspace with the schema, and what undoing them makes. */
async function lookAtJobs(client: Client): Promise<void> {
  const undoable = await compareJobs(client);
  for (const { id, kind } of undoable) {
    if (compared.has(`${kind}_UNDO`)) continue;
    await client.post(`/jobs/${id}/undo`, {});
    await service.drain();
  }
  await compareJobs(client);
}

/** @returns those that have succeeded */
async function compareJobs(client: Client): Promise<{ id: string; kind: string }[]> {
  const { body, status } = await client.get("/jobs?pagination[limit]=500");
  // An example may have given the key away, or ended the workspace.
  if (status !== 200) return [];
  for (const job of body.items) {
    assert.equal(faults({ schema: { $ref: "#/components/schemas/Job" } }, job), "", JSON.stringify(job));
    if (job.summary !== null) compared.add(job.kind);
  }
  return body.items.filter((job: { status: string }) => job.status === "SUCCEEDED");
}

test("the summaries of jobs of each kind are as declared", () => {
  const withSummary = jobKinds.flatMap(({ kind, summary }) => (summary ? [kind] : []));
  assert.deepEqual(
    withSummary.filter((kind) => !compared.has(kind)),
    [],
  );
});

test("a summary with a member that its kind does not declare, or without one that it has, is none", () => {
  const [job] = jobKinds;
  const { value: example } =
    described.operations.get("getJob")!.operation.responses[200]!.content["application/json"]!.examples!.done!;
  const media = { schema: { $ref: "#/components/schemas/Job" } };
  const shown = example as { kind: string; summary: Record<string, number> };
  assert.equal(shown.kind, job?.kind);
  assert.equal(faults(media, shown), "");
  const { rows: _, ...withoutRows } = shown.summary;
  for (const summary of [{ ...shown.summary, opened: 1 }, withoutRows, { opened: 1 }])
    assert.notEqual(faults(media, { ...shown, summary }), "", JSON.stringify(summary));
  // Release 1.1.0 counted no more, and its jobs are kept.
  const undone = { ...shown, kind: "SCREENER_PARTICIPANTS_IMPORT_UNDO", summary: { rows: 1, reverted: 1, kept: 0 } };
  assert.equal(faults(media, undone), "");
});
