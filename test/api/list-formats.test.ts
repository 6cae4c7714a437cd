// Lists as CSV and NDJSON: whole, and streamed.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { MAX_OPEN_STREAMS } from "../../src/http/wire/open-streams.ts";
import { type Client, people } from "../support/client.ts";
import { parseCsv, readCsv } from "../support/csv.ts";
import { dial } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const CSV = { Accept: "text/csv" };
const NDJSON = { Accept: "application/x-ndjson" };
const AUDIT = ["createdBy.name", "createdBy.id", "createdAt", "updatedBy.name", "updatedBy.id", "updatedAt"];
const HOSTILE = ['=HYPERLINK("http://evil.example","click")', "+1", "-1", "@SUM(A1)", "＝1+1"];

const service = await startService({ config: { publicUrl: "https://screening.example.org" } });
const client = service.workspace();
const { screener, session } = await fill(client);

/** Something of everything, with some answers, and a title and names that mean harm. */
async function fill(of: Client) {
  const study = await publish(of, everyKind, { title: HOSTILE[0]! });
  await of.patch(`/screener-publications/${study.publication}`, { tags: [{ category: "Région", value: "nord" }] });
  const [first] = await invite(of, study.screener, 2);
  const answers: [string, unknown][] = [
    ["age", 30],
    ["smokes", [{ text: "Yes" }]],
    ["brands", [{ text: "Cigars" }, { text: "=Snus", isWriteIn: true }]],
  ];
  const responses = answers.map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer }));
  const { status, text } = await of.post(`/screener-sessions/${first!.session}/responses`, { responses });
  assert.equal(status, 200, text);
  await of.import(
    study.screener,
    HOSTILE.map((name, index) => ({ externalUid: name, email: `${index}@example.org`, name: `${name}, "x"\nÄ` })),
  );
  await of.post("/mail-suppressions", { address: "=1+1@example.org" });
  return { screener: study.screener, session: first!.session };
}

const columns: Record<string, string[]> = {
  "/screeners": [
    "id",
    "title",
    "description",
    "activePublicationId",
    ...AUDIT,
    "acceptance",
    "opensAt",
    "closesAt",
    "timeZone",
    "linkExpiresAt",
    "quotaHoldMinutes",
    "review",
    "archived",
  ],
  "/screeners/:id/publications": [
    "id",
    "screenerId",
    "version",
    "status",
    "targetQualifiedParticipants",
    "tags",
    ...AUDIT,
    "languages",
  ],
  "/participants": [
    ...["id", "externalUid", "email", "name", ...AUDIT],
    ...["doNotContact.reason", "doNotContact.by", "doNotContact.at"],
  ],
  "/mail-suppressions": [
    "id",
    "address",
    "reason",
    "detail",
    "participantId",
    "createdBy.name",
    "createdBy.id",
    "createdAt",
  ],
  "/screener-participants": [
    "id",
    "screenerId",
    "participantId",
    "externalParticipantUid",
    "name",
    "email",
    "status",
    "currentSessionId",
    ...["review", "review.by", "review.at", "review.reason"],
  ],
  "/screener-sessions": [
    "externalParticipantUid",
    "name",
    "email",
    "screenerParticipantStatus",
    "status",
    "state",
    "outcomeReason",
    "screenerSessionLink",
    "shortLink",
    "startedAt",
    "lastActiveAt",
    "completedAt",
    "id",
    "screenerId",
    "screenerParticipantId",
    "screenerPublicationId",
    "assignedTags",
    "reference",
    "outcomeQuotaIds",
    "screenerLinkId",
    "arms",
    "language",
    "withdrawnAt",
    "withdrawnConsents",
    "answersErasedAt",
    "review",
    "review.by",
    "review.at",
    "review.reason",
    "createdAt",
  ],
  "/screener-responses": [
    "externalParticipantUid",
    "screenerQuestionPrompt",
    "answer",
    "questionType",
    "screenerSessionId",
    "screenerParticipantId",
    "participantId",
    "screenerId",
    "screenerPublicationId",
    "screenerPageId",
    "screenerQuestionId",
    "normalizedAnswer",
  ],
  "/jobs": [
    "id",
    "kind",
    "status",
    "progress.phase",
    "progress.done",
    "progress.total",
    "summary",
    "problem.code",
    "problem.detail",
    "createdBy.name",
    "createdBy.id",
    "createdAt",
    "startedAt",
    "finishedAt",
    "screenerId",
    "screenerPublicationId",
    "importMode",
    "idempotencyKey",
    "requestId",
    "traceId",
    "attempts",
    "warnings",
    "plan.reason",
    "plan.expiresAt",
    "blocked.since",
    "blocked.code",
    "blocked.nextTryAt",
  ],
};

/** A line without what a roster has beyond the items of the JSON. */
function withoutWhose({ shortLink, ...item }: Record<string, unknown>): object {
  if (item._type === "ScreenerParticipant") {
    const { attributes, ...assignment } = item;
    assert.deepEqual(attributes, {});
    return assignment;
  }
  if (shortLink === undefined) return item;
  const { externalParticipantUid, name, email, screenerParticipantStatus, attributes, ...session } = item;
  return session;
}

for (const [route, headings] of Object.entries(columns)) {
  const path = () => route.replace(":id", screener);

  test(`${route} as NDJSON has the items of the JSON, one on each line`, async () => {
    const items = await client.all(path());
    assert.ok(items.length > 0);
    const { status, headers, text } = await client.get(path(), NDJSON);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "application/x-ndjson");
    assert.ok(text.endsWith("\n"));
    const lines = text.slice(0, -1).split("\n");
    assert.deepEqual(
      lines.map((line) => withoutWhose(JSON.parse(line))),
      items,
    );
  });

  test(`${route} as CSV is a file with a line for each item, under headings that never change`, async () => {
    const items = await client.all(path());
    const { status, headers, text } = await client.get(path(), CSV);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
    const name = route.split("/").at(-1) === "publications" ? "screener-publications" : route.slice(1);
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(headers.get("content-disposition"), `attachment; filename="${name}-${today}.csv"`);
    assert.deepEqual(parseCsv(text)[0], headings);
    const rows = readCsv(text);
    assert.equal(rows.length, items.length);
    const id = route === "/screener-responses" ? "screenerQuestionId" : "id";
    assert.deepEqual(
      rows.map((row) => row[id]),
      items.map((item) => item[id]),
    );
  });

  test(`${route} without items is headings alone, or nothing`, async () => {
    const empty = service.workspace();
    const owner = await empty.screener();
    if (route === "/screeners") return;
    const at = route.replace(":id", owner);
    assert.deepEqual(parseCsv((await empty.get(at, CSV)).text), [headings]);
    const { status, text } = await empty.get(at, NDJSON);
    assert.deepEqual([status, text], [200, ""]);
  });

  test(`${route} as a file takes no pagination`, async () => {
    for (const accept of [CSV, NDJSON]) {
      const { status, body } = await client.get(`${path()}?pagination[limit]=5&pagination[offset]=1`, accept);
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ["pagination[limit]", "pagination[offset]"],
      );
    }
  });
}

test("a list has the format that Accept prefers, and Vary names Accept", async () => {
  const cases: [accept: string, type: string][] = [
    ["*/*", "application/json; charset=utf-8"],
    ["application/json", "application/json; charset=utf-8"],
    ["application/json;charset=utf-8", "application/json; charset=utf-8"],
    ["application/*", "application/json; charset=utf-8"],
    ["application/json, text/plain, */*", "application/json; charset=utf-8"],
    [
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
      "application/json; charset=utf-8",
    ],
    ["text/csv", "text/csv; charset=utf-8"],
    ["TEXT/CSV", "text/csv; charset=utf-8"],
    ["text/csv;charset=utf-8", "text/csv; charset=utf-8"],
    ["text/*", "text/csv; charset=utf-8"],
    ["text/csv, */*;q=0.1", "text/csv; charset=utf-8"],
    ["application/json;q=0.5, text/csv;q=0.9", "text/csv; charset=utf-8"],
    ["application/json;q=0.9, text/csv;q=0.5", "application/json; charset=utf-8"],
    ["text/csv;q=0.1, application/x-ndjson", "application/x-ndjson"],
    ["application/json;q=0, application/*", "application/x-ndjson"],
  ];
  for (const [accept, type] of cases) {
    const { status, headers } = await client.get("/participants", { Accept: accept });
    assert.deepEqual([accept, status, headers.get("content-type")], [accept, 200, type]);
    assert.match(headers.get("vary") ?? "", /\bAccept\b(?!-)/);
  }
});

test("a format that a list does not have is a 406 that names the formats it has", async () => {
  for (const accept of ["image/png", "text/html", "text/csv;q=0", "application/xml"]) {
    const { status, body, headers } = await client.get("/participants", { Accept: accept });
    assert.deepEqual([status, body.code], [406, "not_acceptable"]);
    assert.match(body.detail, /application\/json, text\/csv, application\/x-ndjson/);
    assert.match(headers.get("vary") ?? "", /\bAccept\b(?!-)/);
  }
});

test("HEAD answers with the same headers, and no body", async () => {
  for (const accept of [CSV, NDJSON]) {
    const head = await client.call("HEAD", "/participants", { headers: accept });
    const get = await client.get("/participants", accept);
    assert.deepEqual([head.status, head.text], [200, ""]);
    for (const name of ["content-type", "content-disposition"]) {
      assert.equal(head.headers.get(name), get.headers.get(name));
    }
  }
});

test("filters choose the items of the file, and a wrong filter is refused", async () => {
  const one = await client.get(`/screener-sessions?filter[id][eq]=${session}`, CSV);
  assert.deepEqual(
    readCsv(one.text).map(({ id }) => id),
    [session],
  );
  const others = await client.get(`/screener-sessions?filter[id][ne]=${session}`, NDJSON);
  assert.equal(others.text.split("\n").length - 1, 1);
  const none = await client.get("/participants?filter[externalUid][in][]=", NDJSON);
  assert.deepEqual([none.status, none.text], [200, ""]);
  assert.equal((await client.get("/participants?filter[name][eq]=x", CSV)).status, 400);
});

test("formulas stay text in a spreadsheet, and numbers stay numbers", async () => {
  const rows = readCsv((await client.get("/participants", CSV)).text).slice(-HOSTILE.length);
  assert.deepEqual(
    rows.map(({ externalUid }) => externalUid),
    HOSTILE.map((text) => `'${text}`),
  );
  assert.equal(rows[0]?.name, `'${HOSTILE[0]}, "x"\nÄ`);
  const answers = readCsv((await client.get("/screener-responses", CSV)).text);
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    ["30", "Yes", "Cigars;' =Snus (write-in)"],
  );
  assert.equal(readCsv((await client.get("/screeners", CSV)).text)[0]?.title, `'${HOSTILE[0]}`);
});

test("a spreadsheet that splits at semicolons or tabs runs nothing, wherever the text stands", async () => {
  const of = service.workspace();
  const texts = [
    "x;=1+1",
    ";=1+1",
    'x;"=1+1',
    "x;;+1",
    "x;-1;@SUM(A1)",
    "x\t=1+1",
    "x;＝1+1",
    'x;""=1',
    "x; =1",
    "x\n=1;",
  ];
  await of.import(
    await of.screener(),
    texts.map((text, index) => ({ externalUid: text, email: `${index}@example.org`, name: `"${text}", y` })),
  );
  const { text } = await of.get("/participants", CSV);
  for (const separator of [";", "\t"]) {
    // What a reader sees that knows no quotes within a cell, and one that does.
    const cells = text.split(/[\r\n]+/).flatMap((line) => line.split(separator));
    assert.deepEqual(
      cells.filter((cell) => /^["\s]*[=+\-@＝＋－＠]/.test(cell)),
      [],
    );
  }
  assert.deepEqual(
    readCsv(text).map(({ externalUid }) => externalUid),
    [
      "x;'=1+1",
      ";'=1+1",
      `x;'"=1+1`,
      "x;;'+1",
      "x;'-1;'@SUM(A1)",
      "x\t'=1+1",
      "x;'＝1+1",
      `x;'""=1`,
      "x;' =1",
      "x\n'=1;",
    ],
  );
});

/** What a spreadsheet may drop before a formula. */
const BLANKS = [
  " ",
  "   ",
  "\u00A0",
  "\u3000",
  "\u2028",
  "\u200B",
  "\u202E",
  "\u2060",
  "\uFEFF",
  "\u000B",
  "\u001F",
  "\u3164",
];

test("a formula behind blanks stays text, and the import takes its apostrophe off", async () => {
  const of = service.workspace();
  const screener = await of.screener();
  const texts = BLANKS.flatMap((blank) => ["=1+1", "＝1+1", "@A1"].map((formula) => blank + formula));
  const tabs = ["\t=1", " \t=1", "\n=1", "\r\n =1", "x\r =1"];
  const attributes = Object.fromEntries([...texts, ...tabs, " x =1"].map((text, at) => [`a${at}`, text]));
  await of.import(screener, [{ externalUid: "P-1", email: "p@example.org", name: "P", attributes }]);
  const before = await of.all("/participants");
  assert.deepEqual(before[0].attributes, attributes);
  const { text } = await of.get("/participants", CSV);
  const row = readCsv(text)[0]!;
  assert.deepEqual(
    texts.map((_, at) => row[`attributes.a${at}`]),
    texts.map((one) => `'${one}`),
  );
  assert.deepEqual(
    [...tabs, ""].map((_, at) => row[`attributes.a${texts.length + at}`]),
    ["'\t'=1", " \t'=1", "\n'=1", "'\r\n' =1", "x\r' =1", " x =1"],
  );
  const path = `/screener-participants-import?screenerId=${screener}`;
  const { status } = await of.call("POST", path, { raw: text, headers: { "Content-Type": "text/csv" } });
  assert.equal(status, 200);
  assert.deepEqual(await of.all("/participants"), before);
});

test("a line end within a cell, of whatever kind, ends no line", async () => {
  const of = service.workspace();
  const names = ["Eve\n=2+5", "Eve\r=2+5", "Eve\r\n=2+5"];
  await of.import(
    await of.screener(),
    names.map((name, index) => ({ externalUid: `P-${index}`, email: `${index}@example.org`, name })),
  );
  const { text } = await of.get("/participants", CSV);
  const shown = names.map((name) => name.replace("=", "'="));
  for (const name of shown) assert.ok(text.includes(`"${name}"`), JSON.stringify(text));
  assert.deepEqual(
    readCsv(text).map(({ name }) => name),
    shown,
  );
});

test("the roster has each person's link, and how far they are", async () => {
  const other = service.workspace();
  const study = await publish(other, everyKind);
  const publications = `/screener-publications/${study.publication}`;
  await other.patch(publications, {
    tags: [
      { category: "Région", value: "nord" },
      { category: "wave", value: "1" },
    ],
  });
  const [one, two] = await invite(other, study.screener, 2);
  await other.delete(`/screener-participants/${two!.assignment}`);
  const shown = await other.all("/screener-sessions");
  const rows = readCsv((await other.get(`/screener-sessions?filter[screenerId][eq]=${study.screener}`, CSV)).text);
  assert.equal(rows.length, 2);
  const person = (await other.get(`/screener-participants/${one!.assignment}`)).body;
  assert.deepEqual(rows[0], {
    externalParticipantUid: person.externalParticipantUid,
    name: "Person 0",
    email: person.email,
    screenerParticipantStatus: "NOT_STARTED",
    status: "ACTIVE",
    state: "NOT_STARTED",
    outcomeReason: "",
    screenerSessionLink: shown[0].screenerSessionLink,
    shortLink: `https://screening.example.org/w/${other.workspaceId}/s/${shown[0].linkSlug}`,
    startedAt: "",
    lastActiveAt: "",
    completedAt: "",
    id: one!.session,
    screenerId: study.screener,
    screenerParticipantId: one!.assignment,
    screenerPublicationId: study.publication,
    assignedTags: "Région:nord; wave:1",
    reference: shown[0].reference,
    outcomeQuotaIds: "",
    screenerLinkId: "",
    arms: "",
    language: "",
    withdrawnAt: "",
    review: "",
    "review.by": "",
    "review.at": "",
    "review.reason": "",
    withdrawnConsents: "",
    answersErasedAt: "",
    createdAt: shown[0].createdAt,
  });
  assert.deepEqual([rows[1]?.screenerParticipantStatus, rows[1]?.status], ["REMOVED", "ARCHIVED"]);
  const lines = (await other.get("/screener-sessions", NDJSON)).text.trimEnd().split("\n");
  assert.deepEqual(JSON.parse(lines[0]!), {
    ...shown[0],
    shortLink: rows[0]?.shortLink,
    externalParticipantUid: person.externalParticipantUid,
    name: "Person 0",
    email: person.email,
    screenerParticipantStatus: "NOT_STARTED",
    attributes: {},
  });
});

const MANY = 12_000;

/** A workspace with a list that is longer than what is on its way at any moment. */
async function long(): Promise<Client> {
  const of = service.workspace();
  await of.import(await of.screener(), people(MANY), {}, { Prefer: "wait=120" });
  return of;
}

test("a long list comes whole and in order, compressed or not", async () => {
  const of = await long();
  const uids = people(MANY).map(({ externalUid }) => externalUid);
  for (const encoding of ["identity", "gzip"]) {
    const csv = await of.get("/participants", { ...CSV, "Accept-Encoding": encoding });
    assert.deepEqual(
      readCsv(csv.text).map(({ externalUid }) => externalUid),
      uids,
    );
    const { headers, text } = await of.get("/screener-participants", { ...NDJSON, "Accept-Encoding": encoding });
    assert.equal(headers.get("content-encoding"), encoding === "gzip" ? "gzip" : null);
    const lines = text.slice(0, -1).split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).externalParticipantUid),
      uids,
    );
  }
});

/** Asks for a list, and reads nothing of it yet. */
async function hesitate(of: Client, path: string): Promise<IncomingMessage> {
  const { apiKey, apiSecret } = of.credentials;
  const headers = { ...CSV, "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret };
  const sent = request(of.url + path, { headers, agent: false });
  sent.on("error", () => {});
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await once(response, "readable");
  return response;
}

/** Whether anything holds the workspace's store: then its log can't be cut back. */
function isHeld(of: Client): boolean {
  const db = openWriter(service.context.workspaces.path(of.workspaceId), { busyTimeoutMs: 0, checkpoints: false });
  try {
    return db.value<number>("PRAGMA wal_checkpoint(TRUNCATE)") !== 0;
  } finally {
    db.close();
  }
}

test("a slow reader blocks no other reader or writer, and still gets the whole list", async () => {
  const of = await long();
  const response = await hesitate(of, "/participants");
  // What the service itself writes meanwhile takes a moment.
  await until(() => !isHeld(of), "nothing holds the store");
  const added = await of.post("/participants", { externalUid: "later", email: "later@example.org", name: "Later" });
  assert.equal(added.status, 201);
  assert.equal((await of.get("/participants?pagination[limit]=1")).body.total, MANY + 1);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const rows = readCsv(Buffer.concat(chunks).toString("utf8"));
  // Who came after the beginning is not in it.
  assert.deepEqual(
    rows.map(({ externalUid }) => externalUid),
    people(MANY).map(({ externalUid }) => externalUid),
  );
});

test("readers that go away in the middle leave nothing behind", async () => {
  const of = await long();
  for (let i = 0; i < 20; i++) (await hesitate(of, i % 2 ? "/participants" : "/screener-participants")).destroy();
  await until(() => !isHeld(of), "nothing holds the store");
  assert.equal((await of.get("/participants?pagination[limit]=1")).body.total, MANY);
});

test("a list that breaks off in the middle can't be taken for a whole one", async () => {
  const of = await long();
  const response = await hesitate(of, "/participants");
  const { workspaces } = service.context;
  const { read } = workspaces;
  workspaces.read = (id, look) => {
    if (id === of.workspaceId) throw new Error("The store is out of order.");
    return read.call(workspaces, id, look) as ReturnType<typeof look>;
  };
  try {
    await assert.rejects(async () => {
      for await (const _ of response);
    }, /aborted/);
  } finally {
    workspaces.read = read;
  }
});

test("a key has only so many streams open; another key, and pages, are not concerned", async () => {
  const { client: reader, screenerId } = await service.screener();
  // More than the system takes for a client that reads nothing.
  const attributes = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`note ${n}`, "x".repeat(1000)]));
  const rows = people(2000).map((person) => ({ ...person, attributes }));
  assert.equal((await reader.import(screenerId, rows, {}, { Prefer: "wait=60" })).status, 200);
  const open: Socket[] = [];
  const stall = async () => {
    const socket = await dial(service.url);
    socket.pause();
    const { apiKey, apiSecret } = reader.credentials;
    socket.write(
      `GET /participants HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nX-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n\r\n`,
    );
    await once(socket, "readable");
    open.push(socket);
  };
  for (let n = 0; n < MAX_OPEN_STREAMS; n++) await stall();
  const refused = await reader.get("/participants?filter[externalUid][eq]=P-1", CSV);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, "too_many_requests");
  assert.match(refused.headers.get("ratelimit-policy")!, /^"open-streams";q=\d+$/);
  assert.match(refused.headers.get("ratelimit")!, /^"open-streams";r=0;t=\d+$/);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  assert.equal((await reader.get("/participants")).status, 200);
  const other = await withScopes(service, reader, ["read"]);
  assert.equal((await other.get("/participants?filter[externalUid][eq]=P-1", CSV)).status, 200);
  open[0]!.destroy();
  await until(
    async () => (await reader.get("/participants?filter[externalUid][eq]=P-1", CSV)).status === 200,
    "one may",
  );
  for (const socket of open) socket.destroy();
});
