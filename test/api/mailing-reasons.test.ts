// Why people are not written to: each reason once, in a plan, when the plan is applied, and when the message would leave.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keepSearch } from "../../db/people-search.ts";
import { lastChange } from "../../src/mailings/plan.ts";
import { SKIP_REASONS, type SkipReason } from "../../src/mailings/reasons.ts";
import { startRelay } from "../support/mail-relay.ts";
import { addresses, briefly, ended, hasten, invitation, rowsOf, send, studyWith } from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });
const visitor = new Visitor(service.url);

const consent = {
  ...{
    key: "agreed",
    _type: "ScreenerConsentQuestion",
    prompt: "I agree",
    text: "We keep your answers.",
    version: "1",
  },
};
const content = {
  pages: [
    { title: "Consent", questions: [consent] },
    {
      title: "More",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [{ id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true }],
    },
  ],
  quotas: [
    { name: "In Leeds", when: { attribute: "site", equals: "Leeds" }, limit: 1 },
    { name: "Elsewhere", when: { attribute: "site", exists: false }, limit: 1 },
  ],
};

/** P1, about whom it is, is in Leeds; P2 is in York. */
async function prepared() {
  const client = service.workspace();
  const [first, second] = addresses(2);
  const study = await studyWith(
    client,
    [
      { email: first, attributes: { site: "Leeds" } },
      { email: second, attributes: { site: "York" } },
    ],
    content,
  );
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: study.people[0]!.id });
  return { client, study, session: session.id, link: new URL(session.screenerSessionLink).pathname };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

const change = ({ client, study }: Prepared, body: object) =>
  client.patch(`/participants/${study.people[0]!.participantId}`, body);

const answer = ({ client, study }: Prepared, session: string, age: number, isComplete: boolean) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [
      { screenerQuestionId: study.question.agreed, answer: { isGiven: true } },
      { screenerQuestionId: study.question.age, answer: age },
    ],
    complete: isComplete,
  });

interface Case {
  /** Does what is the reason, to P1 or to the study. */
  cause(given: Prepared): Promise<{ status: number; text: string }>;
  /** Whether P2 gets none either. */
  isForAll?: true;
  mailing?: object;
  /** Whom it is about. Default: P1. */
  of?: "P2";
  /** It can't be so when a plan is made. */
  isNotPlanned?: true;
}

const CASES: Record<SkipReason, Case> = {
  NO_EMAIL: { cause: (given) => change(given, { email: null }) },
  DO_NOT_CONTACT: { cause: (given) => change(given, { doNotContact: { reason: "Rang us up" } }) },
  UNSUBSCRIBED: {
    async cause({ link }) {
      const { status, text } = await visitor.post(link, "unsubscribe=study");
      return { status: status === 303 ? 200 : status, text };
    },
  },
  BOUNCED: {
    async cause({ client, study }) {
      const { body } = await client.get(`/participants/${study.people[0]!.participantId}`);
      return client.post("/mail-suppressions", { address: body.email.toUpperCase(), reason: "BOUNCED" });
    },
  },
  CONTACTED_RECENTLY: {
    async cause({ client, study }) {
      const other = await studyWith(client, [{ externalUid: "P1" }]);
      assert.equal(other.people[0]!.participantId, study.people[0]!.participantId);
      await ended(client, await send(client, invitation(other.screener)));
      return client.patch("/workspace/mail", { contactCap: { messages: 1, days: 30 } });
    },
  },
  NO_CONSENT: {
    async cause(given) {
      assert.equal((await answer(given, given.session, 40, false)).status, 200);
      const { status, text } = await visitor.post(given.link, "withdraw=");
      return { status: status === 303 ? 200 : status, text };
    },
  },
  FINISHED: { cause: (given) => answer(given, given.session, 17, true) },
  STUDY_CLOSED: {
    isForAll: true,
    cause: ({ client, study }) => client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" }),
  },
  // Of a reminder, which makes no links.
  LINK_EXPIRED: {
    mailing: { kind: "REMINDER", to: { limit: 1 } },
    cause: ({ client, session }) => client.delete(`/screener-sessions/${session}`),
  },
  QUOTA_FULL: {
    async cause(given) {
      const { client, study } = given;
      const [third, fourth] = addresses(2);
      // Who has no site takes nobody's place in Leeds, or in York.
      const rows = [
        { externalUid: "P3", name: "Third", email: third, attributes: {} },
        { externalUid: "P4", name: "Fourth", email: fourth, attributes: { site: "Leeds" } },
      ];
      const { body: imported } = await client.import(study.screener, rows);
      const finish = async (id: string) => {
        const { body } = await client.post("/screener-sessions", { screenerParticipantId: id });
        return answer(given, body.id, 40, true);
      };
      await finish(imported[0].id);
      return finish(imported[1].id);
    },
  },
  DUPLICATE_EMAIL: {
    of: "P2",
    async cause(given) {
      const { client, study } = given;
      const [own] = addresses(1) as [string];
      const mailbox = own.split("@")[0];
      await client.patch(`/participants/${study.people[1]!.participantId}`, {
        email: `${mailbox}@xn--bcher-kva.example`,
      });
      return change(given, { email: `${mailbox}@bücher.example` });
    },
  },
  REMOVED: {
    isNotPlanned: true,
    cause: ({ client, study }) => client.delete(`/screener-participants/${study.people[0]!.id}`),
  },
};

const seenIn = ({ client }: Prepared) => service.context.workspaces.read(client.workspaceId, lastChange);

test("a message that is about to leave is a change, and upkeep is none", async () => {
  const given = await prepared();
  const { client, study } = given;
  const { workspaces } = service.context;
  await send(client, invitation(study.screener, { at: "2090-01-01T00:00:00Z" }));
  const seen = seenIn(given);
  const isSearched = () =>
    workspaces.read(
      client.workspaceId,
      (db) => db.value<number>("SELECT coalesce(max(indexed_until), 0) FROM participant_search_state")!,
    );
  const before = isSearched();
  keepSearch(workspaces, client.workspaceId);
  assert.ok(isSearched() > before);
  workspaces.checkpoint(client.workspaceId);
  assert.equal(seenIn(given), seen);
  const set = (id: number, state: string, sender: string | null) =>
    workspaces.write(client.workspaceId, (db) =>
      db.run("UPDATE message SET state = ?, sender = ? WHERE id = ?", state, sender, id),
    );
  set(1, "SENDING", "process");
  const leaving = seenIn(given);
  assert.notEqual(leaving, seen);
  // One is deferred while another that was deferred leaves: there are as many of each.
  set(2, "DEFERRED", null);
  const both = seenIn(given);
  set(1, "DEFERRED", null);
  set(2, "SENDING", "process");
  assert.notEqual(seenIn(given), both);
});

test("there is a case for each reason, and no other", () => {
  assert.deepEqual(Object.keys(CASES).sort(), [...SKIP_REASONS].sort());
});

for (const reason of SKIP_REASONS) {
  const { cause, mailing: more = {}, isForAll, isNotPlanned, of = "P1" } = CASES[reason];
  const others = isForAll || "to" in more ? 0 : 1;

  test(`${reason} is said in a plan, when a plan is applied, and when a message would leave`, async () => {
    const given = await prepared();
    const { client, study } = given;
    const body = invitation(study.screener, { ...more, at: "2090-01-01T00:00:00Z" });
    const planned = () => client.post("/mailings", { ...body, dryRun: true });
    const { body: earlier } = await planned();
    const row = of === "P1" ? 0 : 1;
    assert.equal((await rowsOf(client, earlier.id))[row], "SEND", JSON.stringify(earlier));
    const scheduled = await send(client, body);
    const seen = seenIn(given);
    const { status, text } = await cause(given);
    assert.ok(status < 300, text);
    // So a mailing that is just being planned looks at everybody again.
    assert.notEqual(seenIn(given), seen);

    const { body: applied } = await client.post(`/jobs/${earlier.id}/apply`, {});
    assert.equal(applied.status, "SUCCEEDED");
    assert.equal((await rowsOf(client, earlier.id))[row], `SKIP ${reason}`);
    await client.post(`/mailings/${applied.id}/stop`, {});

    if (!isNotPlanned) {
      const { summary, id } = (await planned()).body;
      assert.ok(summary.send >= others, JSON.stringify(summary));
      const found = (await rowsOf(client, id)).filter((one) => one === `SKIP ${reason}`);
      assert.ok(found.length >= 1, JSON.stringify(summary));
      const total = async (filter: string) => (await client.get(`/jobs/${id}/rows?filter[reason]${filter}`)).body.total;
      assert.deepEqual(
        [await total(`[eq]=${reason}`), await total(`[ne]=${reason}`)],
        [found.length, summary.send + summary.skip - found.length],
      );
    }

    await hasten(service, client);
    await ended(client, scheduled);
    const messages = await briefly(client, scheduled);
    assert.ok(messages.includes(`${of} 0 DROPPED ${reason}`), messages.join());
    if (others) assert.ok(messages.includes(`${of === "P1" ? "P2" : "P1"} 0 SENT`), messages.join());
  });
}
