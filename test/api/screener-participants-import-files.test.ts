// Imports of files: CSV as people have it, and NDJSON.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Answer, Client } from "../support/client.ts";
import { type Person, person, refused, roster, uids } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

const TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" };

interface FileImport {
  format?: keyof typeof TYPES;
  query?: string;
  headers?: Record<string, string>;
}

/** Imports a file into a screener. `query`: more parameters. */
function importFile(
  client: Client,
  screenerId: string,
  raw: string | Uint8Array,
  { format = "csv", query = "", headers = {} }: FileImport = {},
): Promise<Answer> {
  return client.call("POST", `/screener-participants-import?screenerId=${screenerId}${query && `&${query}`}`, {
    raw,
    headers: { "Content-Type": TYPES[format], ...headers },
  });
}

/** Asserts that a file is refused with these messages, and that nothing changes. */
async function refusedWith(client: Client, answer: Promise<Answer>, expected: [pointer: string, message: RegExp][]) {
  await refused(
    client,
    answer,
    400,
    expected.map(([pointer]) => pointer),
  );
  for (const [index, { message }] of (await answer).body.errors.entries()) assert.match(message, expected[index]![1]);
}

/** UTF-16 with its byte order mark. */
function utf16(text: string, order: "le" | "be"): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
}

const CSV = "externalUid,email,name\r\nP-1,a@example.org,Ada\r\nP-2,b@example.org,Bo\r\n";
const TWO = [
  { externalUid: "P-1", email: "a@example.org", name: "Ada" },
  { externalUid: "P-2", email: "b@example.org", name: "Bo" },
];

for (const [what, file] of Object.entries({
  "as it comes from a spreadsheet": `\uFEFF${CSV}`,
  "with semicolons": CSV.replaceAll(",", ";"),
  "with tabs": CSV.replaceAll(",", "\t"),
  "with LF, and no line end at the end": CSV.replaceAll("\r\n", "\n").trimEnd(),
  "with every cell quoted": CSV.replace(/[^,\r\n]+/g, '"$&"'),
  "with its columns in another order and headings of other spelling":
    "Name;E-Mail;EXTERNAL UID\nAda;a@example.org;P-1\nBo;b@example.org;P-2\n",
  "with external_uid": CSV.replace("externalUid", "external_uid"),
  "with external-uid": CSV.replace("externalUid", " External-Uid "),
  "with blank lines": CSV.replaceAll("\r\n", "\r\n\r\n,,\r\n  \r\n"),
  "with blank lines before the headings": `\r\n\n,,\n${CSV}`,
  "whose first line names its delimiter": `\uFEFFsep=;\r\n${CSV.replaceAll(",", ";").replace("Ada", '"Ada"')}`,
  "whose first line names its delimiter, saved again": `"SEP=;",,\n${CSV.replaceAll(",", ";")}`,
  "that names its delimiter, in UTF-16": utf16(`sep=\t\r\n${CSV.replaceAll(",", "\t")}`, "le"),
  "in UTF-16, little end first": utf16(CSV, "le"),
  "in UTF-16, big end first": utf16(CSV, "be"),
}))
  test(`a CSV is imported ${what}`, async () => {
    const { client, screenerId } = await service.screener();
    const { status, body } = await importFile(client, screenerId, file);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(uids(body), ["P-1", "P-2"]);
    assert.deepEqual(await roster(client), TWO);
  });

test("a quoted cell has delimiters, quotes and line ends", async () => {
  const { client, screenerId } = await service.screener();
  const name = 'O\'Neil; "Bo", Jr.\nof the second line\r\nand the third';
  await importFile(client, screenerId, `externalUid,email,name\nP-1,a@example.org,"${name.replaceAll('"', '""')}"\n`);
  assert.deepEqual(await roster(client), [{ externalUid: "P-1", email: "a@example.org", name }]);
});

test("an empty cell leaves the value of a participant as it is", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, TWO);
  const { status } = await importFile(
    client,
    screenerId,
    "externalUid,email,name\nP-1,,Ada L.\nP-2,new@example.org,  \n",
  );
  assert.equal(status, 200);
  assert.deepEqual(await roster(client), [
    { ...TWO[0], name: "Ada L." },
    { ...TWO[1], email: "new@example.org" },
  ]);
  const { body } = await importFile(client, screenerId, "externalUid\nP-2\nP-1\n");
  assert.deepEqual(uids(body), ["P-2", "P-1"]);
});

test("the settings are query parameters", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [person("P-1"), person("P-9")]);
  const { status } = await importFile(client, screenerId, CSV, {
    query: "importMode=FULL_SYNC&dryRun=false&maxRemovals=50%25&onRowError=REJECT_ALL",
  });
  assert.equal(status, 200);
  assert.deepEqual(uids(await rowsOf(client)), ["P-1", "P-2"].toSorted());
});

async function rowsOf(client: Client) {
  return client.all("/screener-participants");
}

test("a heading is mapped to a member in any case", async () => {
  const { client, screenerId } = await service.screener();
  const file = "Person ID,Kontakt,name\nP-1,a@example.org,Ada\nP-2,b@example.org,Bo\n";
  const query = "columns[person id]=externalUid&columns[Kontakt]=email";
  const { status, body } = await importFile(client, screenerId, file, { query });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await roster(client), TWO);
});

test("a name comes in two columns, a column is left out, and another is an attribute whatever it is called", async () => {
  const { client, screenerId } = await service.screener();
  const file =
    "externalUid,Given,Surname,Name,Mail,Email\nP-1,Ada,Lovelace,pal,a@example.org,x\nP-2,,Bo,,b@example.org,y\n";
  const columns = { Given: "name.first", Surname: "name.last", Name: "attributes", Mail: "email", Email: "ignore" };
  const query = new URLSearchParams(Object.entries(columns).map(([heading, is]) => [`columns[${heading}]`, is]));
  const { status, body } = await importFile(client, screenerId, file, { query: query.toString() });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await roster(client), [{ ...TWO[0], name: "Ada Lovelace" }, TWO[1]]);
  const { items } = (await client.get("/participants")).body;
  assert.deepEqual(
    items.map(({ attributes }: { attributes: object }) => attributes),
    [{ Name: "pal" }, {}],
  );
  await refusedWith(client, importFile(client, screenerId, file, { query: "columns[Surname]=name.last" }), [
    ["", /^line 1, column 3: is a part of the name, and column 4 is the name$/],
  ]);
});

test("other columns do not stand in the way of an import, and nameless ones must be empty", async () => {
  const { client, screenerId } = await service.screener();
  const file = "externalUid,email,name,City,__proto__,\nP-1,a@example.org,Ada,Bonn,x,\n";
  for (const query of ["", "attributes=ignore"])
    assert.equal((await importFile(client, screenerId, file, { query })).status, 200);
  await refusedWith(client, importFile(client, screenerId, `${file}P-2,b@example.org,Bo,,,lost\n`), [
    ["/participants/1", /^line 3, column 6: has a value, but its column has no heading/],
  ]);
});

test("a CSV that the service exported is imported back, and changes nothing", async () => {
  const { client, screenerId } = await service.screener();
  const names = [
    "=1+1",
    "+49 30 1",
    "-x",
    "@home",
    "plain",
    "'quoted'",
    'a "b", c',
    "＝wide",
    "x;=1+1",
    'x;"=1',
    "a\t-b; =c",
    "x\n- y\r\n\u00A0=z",
    'x;\u200B"=1',
  ];
  await client.import(
    screenerId,
    names.map((name, index) => ({ ...person(`${index % 2 ? "-" : "P"}${index}`), name })),
  );
  const before = await client.all("/participants");
  const { text } = await client.get("/participants", { Accept: "text/csv" });
  assert.match(text, /'=1\+1/);
  const { status, body } = await importFile(client, screenerId, text, { query: "importMode=FULL_SYNC" });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await client.all("/participants"), before);
  assert.equal((await rowsOf(client)).length, names.length);
});

test("ragged rows and misplaced quotes are all listed, with line and column", async () => {
  const { client, screenerId } = await service.screener();
  const file = [
    "externalUid,email,name",
    'P-1,a@example.org,"Ada',
    'of two lines"',
    "",
    "P-2,b@example.org",
    'P-3,c@example.org,5" pipe',
    'P-4,d@example.org,"Bo" x',
    "P-5,e@example.org,Eve,more,still",
    "P-6,f@example.org,Fay",
    "P-7,nobody,Guy",
  ].join("\n");
  await refusedWith(client, importFile(client, screenerId, file), [
    ["/participants/1", /^line 5, column 3: the row has 2 cells, the headings have 3/],
    ["/participants/2", /^line 6, column 3: has a misplaced quote/],
    ["/participants/3", /^line 7, column 3: has a misplaced quote/],
    ["/participants/4", /^line 8, column 4: the row has 5 cells/],
    ["/participants/6/email", /must be an email.*\bline 10\b/],
  ]);
});

for (const [what, file, expected] of [
  [
    "without the column externalUid",
    "Person ID,email\nP-1,a@example.org\n",
    [
      [
        "",
        /^line 1: .* externalUid; its columns are "Person ID", "email"; if "Person ID" is it, send columns\[Person ID\]=externalUid$/,
      ],
    ],
  ],
  [
    "whose first line names a delimiter that is none",
    `sep=|\n${CSV.replaceAll(",", "|")}`,
    [["", /^line 1: names the delimiter "\|", and it can be a comma, a semicolon or a tab$/]],
  ],
  [
    "with a wrong row below a line that names the delimiter",
    `sep=;\n${CSV.replaceAll(",", ";")}P-3;nobody;C\n`,
    [["/participants/2/email", /must be an email.*\bline 5\b/]],
  ],
  ["without headings", "", [["", /has no headings/]]],
  ["with headings alone", "externalUid,email,name\r\n", [["", /has no row below its headings/]]],
  [
    "with two columns of one name",
    "externalUid,City,city,External UID,attributes.City\n",
    [
      ["", /^line 1, column 3: "city" is the same as column 2/],
      ["", /^line 1, column 4: "External UID" is the same as column 1/],
      ["", /^line 1, column 5: "attributes.City" is the same as column 3/],
    ],
  ],
  [
    "with a misplaced quote in the headings",
    '\nexternalUid,"na"me\n',
    [["", /^line 2, column 2: has a misplaced quote/]],
  ],
  [
    "with a quote that has no end",
    `${CSV}P-3,"c@example.org,C\nP-4,d@example.org,D\n`,
    [["/participants/2", /^line 4: the quote in column 2 has no end/]],
  ],
  ["with lines that end with CR alone", CSV.replaceAll("\r\n", "\r"), [["", /CR alone/]]],
  ["in UTF-16 without a byte order mark", utf16(CSV, "le").subarray(2), [["", /UTF-16 without a byte order mark/]]],
  ["in UTF-16 that is cut off", utf16(CSV, "be").subarray(0, -1), [["", /is not UTF-16/]]],
  ["in another encoding", Buffer.from(CSV.replace("Bo", "Bö"), "latin1"), [["", /is not UTF-8, at line 3/]]],
  ["with U+0000", CSV.replace("Bo", "B\0"), [["/participants/1/name", /^line 3, column 3: holds U\+0000/]]],
] as [string, string | Uint8Array, [string, RegExp][]][])
  test(`a CSV is refused ${what}`, async () => {
    const { client, screenerId } = await service.screener();
    await refusedWith(client, importFile(client, screenerId, file), expected);
  });

test("a row may have 1 MiB; an endless line or cell is refused where it begins", async () => {
  const { client, screenerId } = await service.screener();
  const endless = "x".repeat(3 * 1024 * 1024);
  await refusedWith(client, importFile(client, screenerId, `${CSV}P-3,${endless}`), [
    ["/participants/2", /^line 4: has more than 1048576 bytes$/],
  ]);
  await refusedWith(client, importFile(client, screenerId, `${CSV}\nP-3,"${"x\n".repeat(2 * 1024 * 1024)}`), [
    ["/participants/2", /^line 5: has more than 1048576 bytes: the quote in column 2 has no end/],
  ]);
  await refusedWith(client, importFile(client, screenerId, endless, { format: "ndjson" }), [
    ["/participants/0", /^line 1: has more than 1048576 bytes$/],
  ]);
  // The row has 1 MiB, and its line end comes after it.
  const name = "x".repeat(1024 * 1024 - "P-3,c@example.org,".length);
  await refusedWith(client, importFile(client, screenerId, `${CSV}P-3,c@example.org,${name}\r\n`), [
    ["/participants/2/name", /must be at most 500 characters/],
  ]);
});

test("an NDJSON file is imported, with blank lines and a byte order mark", async () => {
  const { client, screenerId } = await service.screener();
  const file = `\uFEFF${JSON.stringify(TWO[0])}\r\n\n   \n${JSON.stringify(TWO[1])}`;
  const { status, body } = await importFile(client, screenerId, file, { format: "ndjson" });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await roster(client), TWO);
});

test("errors of an NDJSON file are all listed, with their lines", async () => {
  const { client, screenerId } = await service.screener();
  const lines = [JSON.stringify(TWO[0]), "", "{", "7", '{"externalUid":"P-3","name":"\\u0000"}', "{}{}", '{"email":1}'];
  await refusedWith(client, importFile(client, screenerId, lines.join("\n"), { format: "ndjson" }), [
    ["/participants/1", /^line 3: is not JSON/],
    ["/participants/2", /must be an object/],
    ["/participants/3/name", /^line 5: holds U\+0000/],
    ["/participants/4", /^line 6: is not JSON/],
    ["/participants/5/externalUid", /is required/],
    ["/participants/5/email", /must be a string/],
  ]);
  await refusedWith(client, importFile(client, screenerId, "\n", { format: "ndjson", query: "importMode=FULL_SYNC" }), [
    ["", /has no row/],
  ]);
});

test("unknown, repeated and wrong parameters are refused, all at once", async () => {
  const { client, screenerId } = await service.screener();
  const at = async (query: string, expected: [string, RegExp][], format: keyof typeof TYPES = "csv") =>
    refusedWith(client, importFile(client, screenerId, CSV, { query, format }), expected);
  await at("dryrun=true&importmode=FULL_SYNC&maxRemoval=1&column[a]=email", [
    ["dryrun", /did you mean dryRun/],
    ["importmode", /did you mean importMode/],
    ["maxRemoval", /did you mean maxRemovals/],
    ["column[a]", /did you mean columns/],
  ]);
  await at("importMode=full&dryRun=yes&maxRemovals=-1&onRowError=&columns[a]=uid&attributes=keep", [
    ["importMode", /must be UPDATES_ONLY or FULL_SYNC/],
    ["dryRun", /must be true or false/],
    ["maxRemovals", /must be a whole number from 0 on, or a percentage/],
    ["onRowError", /must be REJECT_ALL or SKIP/],
    ["columns[a]", /must be externalUid, email, name, name.first, name.last, attributes or ignore$/],
    ["attributes", /must be ignore/],
  ]);
  await at("dryRun=true&dryRun=true&columns=email&attributes[x]=ignore", [
    ["dryRun", /is given twice/],
    ["columns", /must be columns\[…\]/],
    ["attributes[x]", /must not have brackets/],
  ]);
  await at("columns[Uid]=externalUid", [
    ["columns[Uid]", /is not a column of the file; its columns are "externalUid"/],
  ]);
  await at(
    "columns[a]=email&attributes=ignore",
    [
      ["columns[a]", /only for text\/csv/],
      ["attributes", /only for text\/csv/],
    ],
    "ndjson",
  );
  const { body } = await client.call("POST", "/screener-participants-import", {
    raw: CSV,
    headers: { "Content-Type": "text/csv" },
  });
  assert.deepEqual(body.errors, [{ pointer: "screenerId", message: "is required" }]);
});

test("JSON has its settings in itself: parameters beside it are refused", async () => {
  const { client, screenerId } = await service.screener();
  const answer = client.post("/screener-participants-import?dryRun=true&x=1", { screenerId, participants: TWO });
  await refusedWith(client, answer, [
    ["dryRun", /JSON has its settings in itself/],
    ["x", /is not a parameter here/],
  ]);
});

test("a file of another type, or in another charset, is refused", async () => {
  const { client, screenerId } = await service.screener();
  for (const type of ["text/plain", "application/vnd.ms-excel", "text/csv; charset=windows-1251"]) {
    const { status, body } = await importFile(client, screenerId, CSV, { headers: { "Content-Type": type } });
    assert.equal(status, 415, JSON.stringify(body));
  }
  for (const type of ["text/csv; charset=utf-8", 'Text/CSV; header=present; charset="UTF-16"'])
    assert.equal((await importFile(client, screenerId, CSV, { headers: { "Content-Type": type } })).status, 200);
});

test("an Idempotency-Key stands for the query and the format, too", async () => {
  const { client, screenerId } = await service.screener();
  const send = (query: string, format: keyof typeof TYPES = "csv", raw: string | Uint8Array = CSV) =>
    importFile(client, screenerId, raw, { query, format, headers: { "Idempotency-Key": "roster" } });
  const first = await send("importMode=FULL_SYNC&maxRemovals=5");
  assert.equal(first.status, 200);
  const again = await send("maxRemovals=5&importMode=FULL_SYNC");
  assert.deepEqual([again.status, again.text], [200, first.text]);
  for (const query of ["importMode=FULL_SYNC", "importMode=FULL_SYNC&maxRemovals=6"])
    assert.equal((await send(query)).status, 422);
  assert.equal((await send("importMode=FULL_SYNC&maxRemovals=5", "ndjson")).status, 422);
  assert.equal((await client.get("/jobs")).body.total, 2 - 1);
});

test("a long file is imported in slices, compressed or not", async () => {
  const { client, screenerId } = await service.screener();
  const rows = Array.from({ length: 30_000 }, (_, index) => person(`P-${index}`, undefined, `Ünï "${index}"\n,`));
  const csv = toCsv(rows, ",", "\r\n");
  assert.ok(csv.length > 1.2 * 1024 * 1024);
  const query = "importMode=FULL_SYNC";
  const imported = await importFile(client, screenerId, gzipSync(csv), {
    query,
    headers: { "Content-Encoding": "gzip" },
  });
  assert.deepEqual(uids(imported.body), uids(rows.map(({ externalUid }) => ({ externalParticipantUid: externalUid }))));
  await refusedWith(client, importFile(client, screenerId, `${csv}P-1,x,"y\nz"\r\nP-2,ü\r\n`), [
    ["/participants/30000/email", /must be an email/],
    ["/participants/30001", /^line 60004, column 3: the row has 2 cells/],
  ]);
  const ndjson = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n{}\n`;
  await refusedWith(client, importFile(client, screenerId, ndjson, { format: "ndjson" }), [
    ["/participants/30000/externalUid", /is required.*\bline 30001\b/],
  ]);
});

/** A CSV with quotes where they are needed. */
function toCsv(rows: readonly Person[], delimiter: string, lineEnd: string): string {
  const cell = (value: unknown) => {
    const text = String(value ?? "");
    return /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map(({ externalUid, email, name }) => [name, externalUid, email].map(cell).join(delimiter));
  return [["Name", "External UID", "e-mail"].join(delimiter), ...lines, ""].join(lineEnd);
}

test("the same rows give the same as JSON, as CSV of all kinds, and as NDJSON", async () => {
  const clientOf = async (rows: Person[], send: (client: Client, screenerId: string) => Promise<Answer>) => {
    const { client, screenerId } = await service.screener();
    await client.import(screenerId, [person("P-0"), person("P-1"), person("gone")]);
    const { status, body } = await send(client, screenerId);
    assert.equal(status, 200, JSON.stringify({ body, rows }));
    return { order: uids(body), roster: await roster(client), assigned: uids(await rowsOf(client)) };
  };
  const text = fc
    .stringMatching(/^[a-zäß€😀"',;\t\n \r.=-]{0,12}[a-zäß€😀"]$/u)
    // An apostrophe before a formula is taken off, also after a separator.
    .filter((one) => !/^'(?:[\t\r]| *[=+\-@])|[;\t\r\n]'[" ]*[=+\-@]/.test(one));
  const row = fc.record({ name: text, email: fc.option(fc.constant("x"), { nil: null }) });
  const query = "importMode=FULL_SYNC";
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("utf8", "bom", "le", "be"),
      async (values, delimiter, lineEnd, encoding) => {
        // Who is new has an email.
        const rows = values.map(({ name, email }, index) => ({
          ...person(`P-${index}`, index < 2 && email === null ? null : `e${index}@example.org`),
          name,
        }));
        const csv = toCsv(rows, delimiter, lineEnd);
        const bytes =
          encoding === "le" || encoding === "be"
            ? utf16(csv, encoding)
            : Buffer.from(encoding === "bom" ? `\uFEFF${csv}` : csv);
        const expected = await clientOf(rows, (client, screenerId) =>
          client.import(screenerId, rows, { importMode: "FULL_SYNC" }),
        );
        const asCsv = await clientOf(rows, (client, screenerId) => importFile(client, screenerId, bytes, { query }));
        assert.deepEqual(asCsv, expected);
        const ndjson = rows.map((one) => JSON.stringify(one)).join(lineEnd);
        const asNdjson = await clientOf(rows, (client, screenerId) =>
          importFile(client, screenerId, ndjson, { query, format: "ndjson" }),
        );
        assert.deepEqual(asNdjson, expected);
      },
    ),
    { numRuns: 40 },
  );
});
