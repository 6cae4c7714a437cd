// What an import says of a file that may not be what it should be: columns that are meant otherwise, that have gone or are new, a
// last line without an end, and another number of rows than expected.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { issueKey } from "../../src/workspaces/issue.ts";
import { findApiKey } from "../../src/workspaces/queries.ts";
import { type Answer, Client, people } from "../support/client.ts";
import { person, roster, uids } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

interface Warning {
  code: string;
  message: string;
  column?: string;
  member?: string;
}

/** Imports a CSV, or NDJSON. @returns the answer, and its job */
async function send(client: Client, screenerId: string, raw: string, query = "", type = "text/csv") {
  const path = `/screener-participants-import?screenerId=${screenerId}${query && `&${query}`}`;
  const answer = await client.call("POST", path, { raw, headers: { "Content-Type": type } });
  const job = (await client.get(answer.headers.get("location") ?? `/jobs/${answer.body.jobId}`)).body;
  return { answer, job, warnings: (job.warnings ?? []) as Warning[] };
}

const brief = (warnings: Warning[]) => warnings.map(({ code, column }) => [code, column]);

test("a heading that may be meant as a member is warned of, unless the import says what it is", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(2));
  const before = await roster(client);
  const file = "externalUid,mail,fullName\nP-0,new@example.org,New\nP-1,other@example.org,Other\n";
  const { job, warnings } = await send(client, screenerId, file);
  assert.equal(job.status, "SUCCEEDED");
  assert.deepEqual(warnings, [
    {
      code: "unknown_column_near",
      message:
        'No column is email. Is "mail" meant? If it is, send columns[mail]=email; if it is not, columns[mail]=attributes.',
      column: "mail",
      member: "email",
    },
    {
      code: "unknown_column_near",
      message:
        'No column is name. Is "fullName" meant? If it is, send columns[fullName]=name; if it is not, columns[fullName]=attributes.',
      column: "fullName",
      member: "name",
    },
  ]);
  assert.deepEqual(await roster(client), before);
  const nearIn = async (headings: string, query = "") => {
    const { warnings } = await send(
      client,
      screenerId,
      `${headings}\nP-0${",x".repeat(headings.split(",").length - 1)}\n`,
      query,
    );
    return warnings.flatMap(({ code, column, member }) =>
      code === "unknown_column_near" ? [`${column} ${member}`] : [],
    );
  };
  const emails = ["E-Mail Address", "emial", "Work email", "emal"];
  const names = ["Full name", "nmae", "First name", "surname", "Contact Name", "Names"];
  const others = ["date", "country", "male", "nickname2", "Mailing list", "attributes.mail", "x".repeat(100)];
  assert.deepEqual(await nearIn(["externalUid", ...emails, ...names, ...others].join()), [
    ...emails.map((heading) => `${heading} email`),
    ...names.map((heading) => `${heading} name`),
  ]);
  assert.deepEqual(await nearIn("externalUid,mail", "columns[mail]=attributes"), []);
  assert.deepEqual(await nearIn("externalUid,mail", "columns[mail]=ignore"), []);
  assert.deepEqual(await nearIn("externalUid,mail", "attributes=ignore"), ["mail email"]);
  // Where a column has the member, another one may well be an attribute.
  assert.deepEqual(await nearIn("externalUid,display name,name.first,user id", "columns[name.first]=name.first"), []);
  const { answer } = await send(client, screenerId, "Person ID,mail\nP-1,a@example.org\n");
  assert.match(
    answer.body.detail,
    /no column externalUid; .*; if "Person ID" is it, send columns\[Person ID\]=externalUid\.$/,
  );
});

test("a member of JSON that may be meant as another is named", async () => {
  const { client, screenerId } = await service.screener();
  const { headers } = await client.import(screenerId, [{ ...person("P-1"), mail: "x", fullName: "y" }]);
  const { warnings } = (await client.get(headers.get("location")!)).body;
  assert.deepEqual(
    warnings.map(({ message }: Warning) => message),
    [
      "mail is not known; did you mean email? It was ignored in 1 row.",
      "fullName is not known; did you mean name? It was ignored in 1 row.",
    ],
  );
});

test("a column that the last import of the same source had, and a new one, are warned of", async () => {
  const { client, screenerId } = await service.screener();
  const of = async (headings: string, query = "") => {
    const row = headings
      .split(",")
      .map((heading) => (heading === "externalUid" ? "P-1" : heading === "email" ? "a@b" : "x"));
    const { job, warnings } = await send(client, screenerId, `${headings}\n${row}\n`, query);
    return { job, warnings: brief(warnings) };
  };
  const changed = async (headings: string, query = "") => (await of(headings, query)).warnings;
  assert.deepEqual(await changed("externalUid,email,name,country"), []);
  assert.deepEqual(
    await changed("country,name,External UID,E-Mail".replace("External UID", "externalUid").replace("E-Mail", "email")),
    [],
  );
  // What is not applied is not the last import.
  const missing = [
    ["column_missing", "country"],
    ["column_missing", "email"],
    ["column_new", "Country"],
  ];
  assert.deepEqual(await changed("externalUid,name,Country", "dryRun=true"), missing);
  assert.deepEqual((await send(client, screenerId, "externalUid,name,a\n,,\n")).job.status, "FAILED");
  const planned = await of("externalUid,name,Country", "dryRun=true");
  const applied = await client.post(`/jobs/${planned.job.id}/apply`, undefined);
  assert.deepEqual(brief(applied.body.warnings), missing);
  assert.deepEqual(await changed("externalUid,name,Country"), []);
  assert.deepEqual(await changed("externalUid,given,Country", "columns[given]=name.first"), [
    ["column_missing", "name"],
    ["column_new", "name.first"],
  ]);
  // Other sources: another mode, another study, another key. Neither JSON nor NDJSON has columns.
  assert.deepEqual(await changed("externalUid", "importMode=FULL_SYNC"), []);
  const other = await client.screener();
  assert.deepEqual((await send(client, other, "externalUid\nP-1\n")).warnings, []);
  const { control } = service.context;
  const key = await whenFree(control.writer, 5000, () =>
    issueKey(control.writer, findApiKey(control.reader, client.credentials.apiKey)!.workspace_id, {
      name: "Another",
      expiresAt: null,
    }),
  );
  assert.deepEqual(
    (await send(new Client(service.url, client.workspaceId, key), screenerId, "externalUid\nP-1\n")).warnings,
    [],
  );
  await client.import(screenerId, [person("P-1")]);
  assert.equal((await changed("externalUid,email,name")).length, 4);
});

test("an import that is undone is not the last one any more", async () => {
  const { client, screenerId } = await service.screener();
  const of = (headings: string) => send(client, screenerId, `${headings}\n${headings.replace(/[^,]+/g, "P")}\n`);
  await client.import(screenerId, [person("P")]);
  const first = await of("externalUid,country");
  const { job } = await of("externalUid,city");
  await client.post(`/jobs/${job.id}/undo`, undefined);
  assert.deepEqual(brief((await of("externalUid")).warnings), [["column_missing", "country"]]);
  const second = await of("externalUid,country");
  await client.post(`/jobs/${first.job.id}/undo`, undefined);
  assert.deepEqual(brief((await of("externalUid,country")).warnings), []);
  assert.equal(second.job.status, "SUCCEEDED");
  // The study can be deleted, with what is known of its sources.
  const { title } = (await client.get(`/screeners/${screenerId}`)).body;
  assert.equal((await client.delete(`/screeners/${screenerId}?confirm=${encodeURIComponent(title)}`)).status, 200);
});

test("a last line without an end is warned of", async () => {
  const { client, screenerId } = await service.screener();
  const rows = "externalUid,email,name\nP-1,a@example.org,Ada\nP-2,b@example.org,Bo";
  const ndjson = `${JSON.stringify(person("P-1"))}\n${JSON.stringify(person("P-2"))}`;
  const message = "The last line of the file has no line end. Some of the file may be missing.";
  for (const [file, type] of [
    [rows, "text/csv"],
    [ndjson, "application/x-ndjson"],
  ] as const) {
    const codes = async (text: string) => (await send(client, screenerId, text, "", type)).warnings;
    assert.deepEqual(await codes(file), [{ code: "last_line_not_ended", message }]);
    for (const ended of [`${file}\n`, `${file}\r\n`, `${file}\n  `]) assert.deepEqual(await codes(ended), []);
  }
  assert.deepEqual(uids(await client.all("/screener-participants")), ["P-1", "P-2"]);
});

test("an import of another number of rows than expected changes nothing", async () => {
  const { client, screenerId } = await service.screener();
  const csv = (count: number) =>
    `externalUid,email,name\n\n${people(count)
      .map(({ externalUid, email, name }) => `${externalUid},${email},${name}\n\n`)
      .join("")}`;
  const ndjson = (count: number) =>
    people(count)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");
  // The second one does not fit into memory.
  for (const count of [3, 500]) {
    const different = (answer: Answer) => {
      const { code, rows, expectedRows, detail } = answer.body;
      assert.deepEqual([answer.status, code, rows, expectedRows], [409, "row_count_differs", count, count + 1]);
      assert.equal(detail, `The payload has ${count} rows, and expectedRows is ${count + 1}. Nothing was changed.`);
    };
    const query = `expectedRows=${count + 1}`;
    different((await send(client, screenerId, csv(count), query)).answer);
    different((await send(client, screenerId, csv(count), `${query}&dryRun=true&onRowError=SKIP`)).answer);
    different((await send(client, screenerId, ndjson(count), query, "application/x-ndjson")).answer);
    different(await client.import(screenerId, people(count), { expectedRows: count + 1, importMode: "FULL_SYNC" }));
  }
  assert.deepEqual(await roster(client), []);
  assert.equal((await send(client, screenerId, csv(3), "expectedRows=3")).answer.status, 200);
  assert.equal((await client.import(screenerId, people(3), { expectedRows: 3 })).status, 200);
  assert.equal((await client.import(screenerId, [], { expectedRows: 0 })).status, 200);
  assert.equal((await client.import(screenerId, people(3), { expectedRows: null })).status, 200);
  const { body } = await client.get("/jobs?filter[status][eq]=FAILED");
  assert.equal(body.items[0].problem.code, "row_count_differs");
  for (const wrong of ["-1", "1.5", "many", ""]) {
    const { answer } = await send(client, screenerId, csv(1), `expectedRows=${wrong}`).catch(() => assert.fail(wrong));
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, "expectedRows"]);
  }
  assert.equal((await client.import(screenerId, [], { expectedRows: "3" })).body.errors[0].pointer, "/expectedRows");
});
