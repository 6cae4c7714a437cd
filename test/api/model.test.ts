// Random sequences of writes leave exactly what a plain model of the rules says, in every list and in every count.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { action, doImport, doOpenAll, doPublish, type Model, newModel, submissions } from "../support/model.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

/** The members of each item that the model knows. */
function only<Item extends object>(items: Record<string, unknown>[], like: Item): unknown[] {
  const names = Object.keys(like);
  return items.map((item) => Object.fromEntries(names.map((member) => [member, item[member]])));
}

async function compareLists(client: Client, model: Model): Promise<void> {
  const list = (path: string) => client.all(path);
  const participantLike = { id: "", externalUid: "", email: "", name: "" };
  assert.deepEqual(only(await list("/participants"), participantLike), model.participants);
  assert.deepEqual(
    await list("/screener-participants"),
    model.assignments.map((one) => model.shown(one)),
  );
  for (const status of ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"]) {
    assert.deepEqual(
      await list(`/screener-participants?filter[status][eq]=${status}`),
      model.assignments.filter((one) => model.status(one.id) === status).map((one) => model.shown(one)),
    );
  }
  const sessionLike = {
    id: "",
    screenerId: "",
    screenerParticipantId: "",
    screenerPublicationId: "",
    status: "",
    state: "",
    outcomeReason: "",
  };
  assert.deepEqual(
    only(await list("/screener-sessions"), sessionLike),
    model.sessions.map(({ answers, ...session }) => session),
  );
  for (const status of ["ACTIVE", "ARCHIVED", "REMOVED"]) {
    assert.deepEqual(
      only(await list(`/screener-sessions?filter[status][eq]=${status}`), { id: "" }),
      model.sessions.filter((one) => one.status === status).map(({ id }) => ({ id })),
    );
  }
  for (const state of ["NOT_STARTED", "IN_PROGRESS", "COMPLETED"]) {
    assert.deepEqual(
      only(await list(`/screener-sessions?filter[state][eq]=${state}`), { id: "" }),
      model.sessions.filter((one) => one.state === state).map(({ id }) => ({ id })),
    );
  }
  await compareResponses(client, model);
  const screeners = await list("/screeners");
  for (const [index, screenerId] of model.screeners.entries()) {
    assert.equal(screeners[index].id, screenerId);
    assert.equal(screeners[index].activePublicationId, model.active(screenerId)?.id ?? null);
    const own = `filter[screenerId][eq]=${screenerId}`;
    const isOwn = (one: { screenerId: string }) => one.screenerId === screenerId;
    assert.deepEqual(
      await list(`/screener-participants?${own}`),
      model.assignments.filter(isOwn).map((one) => model.shown(one)),
    );
    assert.deepEqual(
      only(await list(`/screener-sessions?${own}&filter[status][ne]=ARCHIVED`), { id: "" }),
      model.sessions.filter((one) => isOwn(one) && one.status !== "ARCHIVED").map(({ id }) => ({ id })),
    );
    assert.deepEqual(
      only(await list(`/screeners/${screenerId}/publications`), { id: "", screenerId: "", version: 0, status: "" }),
      model.publications
        .filter(isOwn)
        .map(({ questions, ...publication }) => publication)
        .reverse(),
    );
  }
}

/** The responses of all, of each screener and of each publication. */
async function compareResponses(client: Client, model: Model): Promise<void> {
  const like = {
    screenerId: "",
    screenerPublicationId: "",
    screenerSessionId: "",
    screenerParticipantId: "",
    screenerQuestionId: "",
    answer: "",
  };
  // The model knows options by their texts.
  const named = (answer: unknown) =>
    Array.isArray(answer) ? answer.map(({ optionId, ...choice }: { optionId: string | null }) => choice) : answer;
  const compare = async (query: string, sessions: Model["sessions"]) =>
    assert.deepEqual(
      only(await client.all(`/screener-responses${query}`), like).map((one) => {
        const shown = one as { answer: unknown };
        return { ...shown, answer: named(shown.answer) };
      }),
      sessions.flatMap((session) => model.responses(session)),
    );
  await compare("", model.sessions);
  for (const field of ["screenerId", "screenerPublicationId"] as const) {
    const ids = field === "screenerId" ? model.screeners : model.publications.map(({ id }) => id);
    for (const id of ids)
      await compare(
        `?filter[${field}][eq]=${id}`,
        model.sessions.filter((session) => session[field] === id),
      );
  }
}

test("random imports, changes, removals, sessions, answers and publications leave what the rules say", async () => {
  const started = performance.now();
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 25, size: "max" }),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant("nobody") },
        { weight: 9, arbitrary: fc.constant("some") },
        // Around the row where the counts of the first 1,024 rows end, and with several blocks of responses.
        { weight: 1, arbitrary: fc.constant("many") },
      ),
      async (actions, begins) => {
        // On a slow machine fewer sequences have to do, but no fewer than are asked for below.
        const isEnough = changes > 100 && Object.values(submissions).every((count) => count > 3);
        if (isEnough && performance.now() - started > 12_000) return;
        const client = service.workspace();
        const model = await newModel(client);
        if (begins !== "nobody") {
          await doImport(client, model, 0, undefined, begins === "many" ? people(1021, 7) : people(2));
          await doImport(client, model, 1, undefined, people(1));
          for (const screener of [0, 1]) {
            await doPublish(client, model, screener);
            await doOpenAll(client, model, screener);
          }
        }
        for (const act of actions) {
          await act(client, model);
          changes++;
        }
        await compareLists(client, model);
        service.context.workspaces.read(client.workspaceId, assertCounts);
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(changes > 100, `only ${changes} changes were made`);
  for (const [what, count] of Object.entries(submissions)) assert.ok(count > 3, `${what}: only ${count} submissions`);
});
