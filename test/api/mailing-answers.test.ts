// Answers in mail: in each place of a mailing and each language, for each type of question, read when a message is sent; and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { startRelay } from "../support/mail-relay.ts";
import { addresses, ended, hasten, invitation, read, send, studyWith } from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import type { Published } from "../support/study.ts";
import { until } from "../support/until.ts";
import { Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });

const question = (key: string, type: string, more: object = {}) => ({
  ...{ id: key, key, _type: `Screener${type}Question`, prompt: `What ${key}?` },
  ...more,
});

const options = [
  { id: "tea", text: "Tea" },
  { id: "coffee", text: "Coffee & *milk*" },
];
const grid = { rows: [{ text: "At home" }], columns: [{ text: "Never" }, { text: "Often" }] };

/** Each type of question, and a last page that keeps a session open. */
const everyType = {
  pages: [
    {
      title: "First",
      questions: [
        question("said", "Text", { maxLength: 10_000, multiline: true }),
        question("age", "Numeric"),
        question("drink", "SingleSelect", { options }),
        question("drinks", "MultiSelect", { options: options.map(({ text }) => ({ text })), allowsWriteIn: true }),
        question("likes", "Scale"),
        question("born", "Date"),
        question("best", "Ranking", { options: options.map(({ text }) => ({ text })) }),
        question("where", "Matrix", grid),
        question("agreed", "Consent", { text: "We keep it." }),
        question("why", "Text", { showWhen: { questionId: "drink", equals: "tea" } }),
      ],
    },
    { title: "Last", questions: [question("last", "Text", { required: true })] },
  ],
};

const KEYS = ["said", "age", "drink", "drinks", "likes", "born", "best", "where"];
const EACH = KEYS.map((key) => `{{answer:${key}|–}}`).join(" / ");

const GIVEN = {
  ...{ said: "Yes", age: 36.5, drink: [{ text: "Tea" }], likes: 4, born: "1990-02-28", agreed: { isGiven: true } },
  drinks: [{ text: "Tea" }, { text: "Mate", isWriteIn: true }],
  best: [{ text: "Coffee & *milk*" }, { text: "Tea" }],
  where: { rows: [{ text: "At home", choices: [{ text: "Often" }] }] },
};

type Study = Published & { people: { id: string; participantId: string }[] };

/** Answers as somebody of the study. @returns the session */
async function answer(client: Client, study: Study, person: number, given: object): Promise<string> {
  const { body: session } = await client.post("/screener-sessions", {
    screenerParticipantId: study.people[person]!.id,
  });
  const responses = Object.entries(given).map(([key, value]) => ({
    screenerQuestionId: study.question[key]!,
    answer: value,
  }));
  const sent = await client.post(`/screener-sessions/${session.id}/responses`, { responses });
  assert.equal(sent.status, 200, sent.text);
  return session.id;
}

async function translate(client: Client, study: Published): Promise<void> {
  const texts = {
    [`question/${study.question.drink}/option/${study.option["drink/Tea"]}`]: "Tee",
    [`question/${study.question.best}/option/${study.option["best/Tea"]}`]: "Tee",
  };
  const strings = Object.entries(texts).map(([id, text]) => ({ id, text }));
  const sent = await client.call("PATCH", `/screeners/${study.screener}/translations/de`, { body: { strings } });
  assert.equal(sent.status, 200, sent.text);
  const published = await client.post("/screener-publications", { screenerId: study.screener });
  assert.equal(published.status, 201, published.text);
}

/** A mailing that inserts answers in each of its places. */
const everywhere = (study: Study, more: object = {}) =>
  invitation(study.screener, {
    kind: "REMINDER",
    subject: "A {{answer:drink|drink}} at {{answer:age|any age}}",
    body: `${EACH}\n\n{{link}}\n\n**{{answer:drink|nothing}}** for {{name|you}} from {{attribute:size|?}}`,
    translations: [
      {
        language: "de",
        subject: "Ein {{answer:drink|Getränk}}",
        body: `DE ${EACH}\n\n{{link}}\n\n{{attribute:size|?}}`,
      },
    ],
    reminders: [
      {
        ...{
          afterDays: 3,
          subject: "Again: {{answer:drink|drink}}",
          body: "Still {{answer:said|silent}}?\n\n{{link}}",
        },
        translations: [
          { language: "de", subject: "Noch {{answer:best|eins}}", body: "Noch {{answer:drink|?}}?\n\n{{link}}" },
        ],
      },
    ],
    ...more,
  });

test("a message says what was answered: in subject and text, in reminders, in each language, for each type of question", async () => {
  const client = service.workspace();
  const to = addresses(3) as [string, string, string];
  const attributes = [{ size: 1.5 }, { size: 1.5, language: "de" }, {}];
  const people = to.map((email, index) => ({ email, attributes: attributes[index] }));
  const study = await studyWith(client, people, everyType);
  await translate(client, study);
  await answer(client, study, 0, GIVEN);
  await answer(client, study, 1, GIVEN);
  // Somebody who has only a link.
  await client.post("/screener-sessions", { screenerParticipantId: study.people[2]!.id });
  const one = await send(client, everywhere(study));
  const [ada, ben, cy] = [(await relay.to(to[0]))[0]!, (await relay.to(to[1]))[0]!, (await relay.to(to[2]))[0]!];
  assert.equal(ada.headers.get("subject"), "A Tea at 36.5");
  const english = "Yes / 36.5 / Tea / Tea, Mate / 4 / 28 February 1990 / Coffee & *milk*, Tea / At home: Often";
  assert.ok(ada.text.startsWith(`${english}\n`), ada.text);
  assert.match(ada.text, /\nTea for Person P1 from 1\.5\n/);
  assert.match(ada.html, /<strong><bdi>Tea<\/bdi><\/strong>/);
  assert.match(ada.html, /Coffee &amp; \*milk\*, Tea/);
  assert.equal(ben.headers.get("subject"), "Ein Tee");
  // Options in the message's language, where the version has it; numbers and dates as it writes them.
  const german = "DE Yes / 36,5 / Tee / Tea, Mate / 4 / 28. Februar 1990 / Coffee & *milk*, Tee / At home: Often";
  assert.ok(ben.text.startsWith(`${german}\n`), ben.text);
  assert.match(ben.text, /\n1,5\n/);
  assert.equal(cy.headers.get("subject"), "A drink at any age");
  assert.ok(cy.text.startsWith(`${KEYS.map(() => "–").join(" / ")}\n`), cy.text);
  await until(async () => (await read(client, one)).messages.READY === 3, "each has a reminder that waits");
  await hasten(service, client);
  await ended(client, one);
  const [, again] = await relay.to(to[0], 2);
  assert.equal(again!.headers.get("subject"), "Again: Tea");
  assert.match(again!.text, /^Still Yes\?\n/);
  const [, noch] = await relay.to(to[1], 2);
  assert.equal(noch!.headers.get("subject"), "Noch Coffee & *milk*, Tee");
  assert.match(noch!.text, /^Noch Tee\?\n/);
});

test("no answer makes a header, a second recipient or markup, and none is longer than 200 characters", async () => {
  const client = service.workspace();
  const [ada] = addresses(1) as [string];
  const study = await studyWith(client, [{ email: ada }], everyType);
  const evil =
    "x\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>\u2028[a](https://evil.example) {{answer:age|}}";
  await answer(client, study, 0, { said: evil, age: 30, why: null });
  const texts = { subject: "For {{answer:said|you}}", body: "{{answer:said|you}}\n\nhttps://x.example" };
  const words = { kind: "MESSAGE", name: "M", screenerId: study.screener, ...texts };
  await ended(client, await send(client, words));
  const [mail] = await relay.to(ada);
  assert.deepEqual(mail!.to, [ada]);
  const [head = ""] = mail!.raw.split("\r\n\r\n");
  assert.doesNotMatch(head, /^Bcc/im);
  assert.match(mail!.headers.get("subject")!, /^For x Bcc: all@example.org <script>/);
  assert.match(mail!.text, /^x Bcc: all@example\.org <script>alert\(1\)<\/script> \[a\].* \{\{answer:age\|\}\}\n/);
  assert.doesNotMatch(mail!.html, /<script>alert|href="https:\/\/evil/);
  await answer(client, study, 0, { said: "y".repeat(300) });
  await ended(client, await send(client, words));
  const [, long] = await relay.to(ada, 2);
  assert.match(long!.text, /^y{199}…\n/);
});

const SUBJECT_OF = (text: string) => ({ subject: text, body: "{{link}}" });
const BODY_OF = (text: string) => ({ subject: "Hello", body: `${text}\n\n{{link}}` });
const inLanguage = (words: object) => ({ ...SUBJECT_OF("Hello"), translations: [{ language: "de", ...words }] });
const inReminder = (words: object) => ({ ...SUBJECT_OF("Hello"), reminders: [{ afterDays: 1, ...words }] });

/** Where a text of a mailing stands. */
const PLACES: [pointer: string, of: (text: string) => object][] = [
  ["/subject", SUBJECT_OF],
  ["/body", BODY_OF],
  ["/translations/0/subject", (text) => inLanguage(SUBJECT_OF(text))],
  ["/translations/0/body", (text) => inLanguage(BODY_OF(text))],
  ["/reminders/0/subject", (text) => inReminder(SUBJECT_OF(text))],
  ["/reminders/0/body", (text) => inReminder(BODY_OF(text))],
  ["/reminders/0/translations/0/subject", (text) => inReminder(inLanguage(SUBJECT_OF(text)))],
  ["/reminders/0/translations/0/body", (text) => inReminder(inLanguage(BODY_OF(text)))],
];

const REFUSED: [typed: string, why: string][] = [
  [
    "{{answer:age}}",
    "has {{answer:age}}, which needs a fallback, as in {{answer:age|…}}: a person may not have answered “What age?”",
  ],
  [
    "{{answer:aeg|}}",
    "has {{answer:aeg|}}, which refers to no question: none that was published has the key “aeg”; did you mean age?",
  ],
  ["{{born|}}", "has {{born|}}, which is no placeholder of messages; did you mean {{answer:born|…}}?"],
  ["{{anwser:age|}}", "has {{anwser:age|}}, which is no placeholder of messages; did you mean {{answer:KEY|…}}?"],
  [
    "{{answer:age",
    "has “{{answer:age”, which does not end: {{name|…}}, {{link}}, {{attribute:KEY|…}} or {{answer:KEY|…}}",
  ],
];

test("what refers to no answer, or has no fallback, is refused in each place, with where and why, all at once", async () => {
  const client = service.workspace();
  const study = await studyWith(client, [], everyType);
  const faultsOf = async (path: string, body: object) => {
    const { status, body: problem, text } = await client.post(path, body);
    assert.equal(status, 400, text);
    return problem.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };
  for (const [pointer, of] of PLACES) {
    for (const [typed, why] of REFUSED)
      assert.deepEqual(await faultsOf("/mailings", invitation(study.screener, of(typed))), [`${pointer} ${why}`]);
    const all = invitation(study.screener, { ...of("{{answer:age}} {{answer:x|}} {{answer:said|}}"), perMinute: 0 });
    const said = await faultsOf("/mailings", all);
    const wrong = said.map((one: string) => one.replace(/ (?:has (\S+),)?.*/, " $1"));
    assert.deepEqual(wrong.sort(), ["/perMinute ", `${pointer} {{answer:age}}`, `${pointer} {{answer:x|}}`].sort());
    const right = await client.post(
      "/mailings",
      invitation(study.screener, { ...of("{{answer:age|}}"), dryRun: true }),
    );
    assert.equal(right.status, 200, right.text);
  }
  const shown = { screenerId: study.screener, subject: "{{answer:age}}", body: "{{answer:x|}}" };
  for (const [path, more] of [
    ["/mailings-preview", {}],
    ["/mailings-test", { to: "me@example.org" }],
  ] as const) {
    const said = await faultsOf(path, { ...shown, ...more });
    assert.deepEqual(
      said.map((one: string) => one.split(",")[0]),
      ["/subject has {{answer:age}}", "/body has {{answer:x|}}"],
    );
  }
  const address = invitation(study.screener, BODY_OF("[x](https://example.org/{{answer:age|}})"));
  assert.deepEqual(await faultsOf("/mailings", address), ["/body has a placeholder in the address of a link"]);
  // Nothing was published: nobody can have answered.
  const draft = await client.screener();
  const [none] = await faultsOf("/mailings-preview", { screenerId: draft, ...BODY_OF("{{answer:age|}}") });
  assert.match(none, /^\/body has \{\{answer:age\|\}\}, which refers to no question: none that was published/);
  const unknown = { screenerId: study.publication, ...BODY_OF("{{answer:age|}}") };
  assert.equal((await client.post("/mailings-preview", unknown)).body.code, "screener_not_found");
});

test("answers are those of the moment at which a message leaves, as far as they count, of the version that was answered", async () => {
  const client = service.workspace();
  const to = addresses(2) as [string, string];
  const study = await studyWith(
    client,
    to.map((email) => ({ email })),
    everyType,
  );
  await answer(client, study, 0, { drink: [{ text: "Tea" }], why: "Warm" });
  const words = {
    ...{ kind: "MESSAGE", name: "M", screenerId: study.screener, at: "2090-01-01T00:00:00Z", subject: "S" },
    body: "{{answer:drink|none}} {{answer:why|no reason}}",
  };
  const one = await send(client, words);
  await answer(client, study, 0, { drink: [{ text: "Coffee & *milk*" }] });
  // A new version has other questions.
  const content = { pages: [{ title: "New", questions: [question("drink", "Text"), question("mood", "Text")] }] };
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: content });
  assert.equal((await client.post("/screener-publications", { screenerId: study.screener })).status, 201);
  await hasten(service, client);
  await ended(client, one);
  assert.match((await relay.to(to[0]))[0]!.text, /^Coffee & \*milk\* no reason\n/);
  assert.match((await relay.to(to[1]))[0]!.text, /^none no reason\n/);
  // Of both versions: some have answered the one, some the other.
  const both = await client.post("/mailings", { ...words, body: "{{answer:why|}} {{answer:mood|}}", dryRun: true });
  assert.equal(both.status, 200, both.text);
});

test("a preview has the answers of the person’s session, and says which it is; not those of a test, or of somebody who has withdrawn", async () => {
  const client = service.workspace();
  const study = await studyWith(client, [{ email: addresses(1)[0] }, { email: addresses(1)[0] }], everyType);
  const session = await answer(client, study, 0, GIVEN);
  const words = { screenerId: study.screener, subject: "{{answer:drink|A drink}}", body: "{{answer:agreed|never}}" };
  const [ada, ben] = study.people.map(({ participantId }) => participantId) as [string, string];
  const shownTo = async (more: object, as: Pick<Client, "post"> = client) => {
    const { status, body, text } = await as.post("/mailings-preview", { ...words, ...more });
    assert.equal(status, 200, text);
    return [body.subject, body.text.split("\n")[0], body.screenerSessionId];
  };
  const [subject, line, of] = await shownTo({ participantId: ada });
  assert.deepEqual([subject, of], ["Tea", session]);
  assert.match(line, /^\d+ \w+ \d{4}$/);
  assert.deepEqual(await shownTo({ participantId: ben }), ["A drink", "never", null]);
  assert.deepEqual(await shownTo({}), ["A drink", "never", null]);
  assert.deepEqual(await shownTo({ participantId: ada, subject: "Hello", body: "You" }), ["Hello", "You", null]);
  const [me] = addresses(1) as [string];
  const tested = await client.post("/mailings-test", { ...words, participantId: ada, to: me });
  assert.deepEqual([tested.status, tested.body.status], [200, "SENT"], tested.text);
  assert.equal((await relay.to(me))[0]!.headers.get("subject"), "Tea");

  // Whoever may not read answers can't have them shown.
  const author = await withScopes(service, client, ["author"]);
  for (const path of ["/mailings-preview", "/mailings-test"]) {
    const to = path.endsWith("test") ? { to: me } : {};
    const refused = await author.post(path, { ...words, participantId: ada, ...to });
    assert.deepEqual([refused.status, refused.body.code], [403, "insufficient_scope"], refused.text);
  }
  assert.deepEqual(await shownTo({}, author), ["A drink", "never", null]);
  const withoutLinks = await withScopes(service, client, ["author", "read-without-links"]);
  const { body: hidden } = await withoutLinks.post("/mailings-preview", { ...words, participantId: ada });
  assert.equal(hidden.subject, "Tea");
  assert.notEqual(hidden.screenerSessionId, session);

  const { body: found } = await client.get(`/screener-sessions/${session}`);
  const visitor = new Visitor(service.url);
  const withdrawn = await visitor.post(new URL(found.screenerSessionLink).pathname, "withdraw=");
  assert.equal(withdrawn.status, 303, withdrawn.text);
  assert.deepEqual(await shownTo({ participantId: ada }), ["A drink", "never", null]);
});
