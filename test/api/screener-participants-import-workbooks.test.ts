// Imports of workbooks (.xlsx), and of tables that are not in UTF-8.

import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, unzipSync, zipSync } from "fflate";
import type { Answer, Client } from "../support/client.ts";
import { roster } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";
import { workbook } from "../support/workbooks.ts";

const service = await sharedService();

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

function send(client: Client, screenerId: string, raw: Uint8Array, query = "", type = XLSX): Promise<Answer> {
  const path = `/screener-participants-import?screenerId=${screenerId}${query && `&${query}`}`;
  return client.call("POST", path, { raw, headers: { "Content-Type": type } });
}

const HEADINGS = ["External UID", "E-Mail", "Name", "Weight", "Born", "Note"];
const ADA = ["P-1", "ada@example.org", "Ada", 72.5, new Date("1990-02-28"), "two\nlines, “quoted”"];
const BO = ["P-2", "bo@example.org", "Bo", 80, new Date("2000-12-01"), "=1+1"];

test("a workbook is imported as its first sheet shows it: numbers, days, line ends, what looks like a formula", async () => {
  const { client, screenerId } = await service.screener();
  const file = await workbook({ People: [[], HEADINGS, ADA, [], BO], Other: [["x"]] });
  const answer = await send(client, screenerId, file);
  assert.equal(answer.status, 200, answer.text);
  const { body } = await client.get("/participants");
  assert.deepEqual(
    body.items.map((one: { attributes: object }) => one.attributes),
    [
      { Weight: "72.5", Born: "1990-02-28", Note: "two\nlines, “quoted”" },
      { Weight: "80", Born: "2000-12-01", Note: "=1+1" },
    ],
  );
  assert.deepEqual(await roster(client), [
    { externalUid: "P-1", email: "ada@example.org", name: "Ada" },
    { externalUid: "P-2", email: "bo@example.org", name: "Bo" },
  ]);
});

test("a sheet that is hidden is read only where it is chosen", async () => {
  const { client, screenerId } = await service.screener();
  const headings = ["externalUid", "email", "name"];
  const files = unzipSync(
    await workbook({
      Lists: [headings, ["H-1", "hidden@example.org", "Hidden"]],
      Deep: [headings, ["H-2", "deep@example.org", "Deep"]],
      People: [headings, ["P-1", "ada@example.org", "Ada"]],
    }),
  );
  const path = "xl/workbook.xml";
  const xml = Buffer.from(files[path]!).toString("utf8");
  const hidden = xml
    .replace(/(<sheet [^>]*name="Lists")/, '$1 state="hidden"')
    .replace(/(<sheet [^>]*name="Deep")/, '$1 state="veryHidden"');
  files[path] = strToU8(hidden);
  const file = zipSync(files);
  const ids = async () => (await client.all("/participants")).map(({ externalUid }) => externalUid);
  assert.equal((await send(client, screenerId, file)).status, 200);
  assert.deepEqual(await ids(), ["P-1"]);
  assert.equal((await send(client, screenerId, file, "sheet=Lists")).status, 200);
  assert.deepEqual(await ids(), ["P-1", "H-1"]);
  const { body } = await send(client, screenerId, file, "sheet=Nobody");
  assert.match(body.errors[0].message, /its sheets are "People", "Lists", "Deep"$/);
});

test("a sheet is chosen by its name, and read with the parameters of tables", async () => {
  const { client, screenerId } = await service.screener();
  const attributes = [
    { key: "Weight", type: "NUMBER" },
    { key: "Born", type: "DATE" },
  ];
  await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  const file = await workbook({
    Notes: [["nothing"]],
    "People & more": [
      ["Person", "First", "Last", "Mail", "Weight", "Born"],
      ["P-1", "Ada", "Lovelace", "ada@example.org", 72.5, new Date("1990-02-28")],
      ["P-2", "Bo", "Diddley", "bo@example.org", "1.080,25", "1.12.2000"],
    ],
  });
  const columns = "columns[Person]=externalUid&columns[First]=name.first&columns[Last]=name.last&columns[Mail]=email";
  const query = `${columns}&decimals=COMMA&dates=DMY&sheet=${encodeURIComponent("People & more")}`;
  const answer = await send(client, screenerId, file, query);
  assert.equal(answer.status, 200, answer.text);
  const { body } = await client.get("/participants");
  assert.deepEqual(
    body.items.map((one: { name: string; attributes: object }) => [one.name, one.attributes]),
    [
      ["Ada Lovelace", { Weight: 72.5, Born: "1990-02-28" }],
      ["Bo Diddley", { Weight: 1080.25, Born: "2000-12-01" }],
    ],
  );
});

test("errors name the cell of the sheet, in the headings, in values, and between rows", async () => {
  const { client, screenerId } = await service.screener();
  const messages = async (rows: unknown[][], query = "") => {
    const answer = await send(client, screenerId, await workbook({ People: rows }), query);
    assert.equal(answer.status, 400, answer.text);
    return answer.body.errors.map(({ message }: { message: string }) => message);
  };
  const [none] = await messages([
    ["Person", "email"],
    ["P-1", "a@example.org"],
  ]);
  assert.match(none, /^row 1: the file has no column externalUid; its columns are "Person", "email"/);
  const [twice] = await messages([[], ["externalUid", "email", "E-Mail"], ["P-1", "a@example.org", "b@example.org"]]);
  assert.match(twice, /^C2: "E-Mail" is the same as column 2$/);
  const wrong = await messages([
    ["name", "email", "externalUid", null],
    ["Ada", "no address", "P-1", null],
    [null, null, null, null],
    ["Bo", "bo@example.org", "P-2", "stray"],
    ["Cy", "cy@example.org", "P-1", null],
  ]);
  assert.equal(wrong.length, 4);
  assert.match(wrong[0], /\(B2, P-1: "no address"\)$/);
  assert.match(wrong[1], /\(C2, P-1\)$/);
  assert.match(wrong[2], /^D4: has a value, but its column has no heading$/);
  assert.match(wrong[3], /\(C5, P-1\)$/);
  assert.deepEqual(await roster(client), []);
});

/** A workbook of which one file is another. */
async function altered(change: (xml: string) => string, file = "xl/worksheets/sheet1.xml"): Promise<Buffer> {
  const files = unzipSync(
    await workbook({
      People: [
        ["externalUid", "email"],
        ["P-1", "a@example.org"],
      ],
    }),
  );
  const xml = Buffer.from(files[file]!).toString();
  const changed = change(xml);
  assert.notEqual(changed, xml);
  return Buffer.from(zipSync({ ...files, [file]: strToU8(changed) }));
}

/** A workbook that says of its first file that it has 300 MiB. */
function inflated(file: Buffer): Buffer {
  const entry = file.indexOf("PK\x01\x02", 0, "latin1");
  file.writeUInt32LE(300 * 1024 * 1024, entry + 24);
  return file;
}

test("what is no workbook, or would fill the memory, or has formulas with errors, is refused with the reason", async () => {
  const { client, screenerId } = await service.screener();
  const cases: [Uint8Array, RegExp, string?][] = [
    [Buffer.from("externalUid\nP-1\n"), /^is no workbook \(\.xlsx\)$/],
    [
      Buffer.from(zipSync({ "a.txt": strToU8("a") })),
      /^is no workbook \(\.xlsx\): it has no xl\/_rels\/workbook\.xml\.rels$/,
    ],
    [(await altered((xml) => `${xml}<!-- -->`)).subarray(0, 900), /^is no workbook \(\.xlsx\), or a damaged one/],
    [
      await workbook({ People: [["externalUid"], ["P-1"]] }),
      /^has no sheet "Peple"; its sheets are "People"$/,
      "sheet=Peple",
    ],
    // One cell at the last place of a sheet, in a file of some kilobytes.
    [
      await altered((xml) =>
        xml.replace("</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
      ),
      /^has more than 10000000 cells in the sheet "People": it goes to XFD1048576$/,
    ],
    // The same without any number of a row or column.
    [
      await altered((xml) =>
        xml.replace("</sheetData>", `<row>${"<c/>".repeat(16384)}</row>${"<row/>".repeat(1000)}</sheetData>`),
      ),
      /^has more than 10000000 cells in the sheet "People": it goes to XFD1003$/,
    ],
    [
      await altered((xml) =>
        xml.replace("</sheetData>", '<row r="3"><c r="A3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row></sheetData>'),
      ),
      /^A3: the formula has an error; fix it, or clear the cell$/,
    ],
    [await altered((xml) => xml.replace("<sheetData>", "<sheetData><row")), /^can't be read as a workbook/],
    [inflated(await workbook({ People: [["externalUid"]] })), /^has more than 268435456 bytes, unpacked$/],
  ];
  for (const [file, message, query = ""] of cases) {
    const answer = await send(client, screenerId, file, query);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.errors[0].message, message);
  }
  const { body } = await send(client, screenerId, Buffer.from("externalUid\nP-1\n"), "sheet=People", "text/csv");
  assert.deepEqual(body.errors, [{ pointer: "sheet", message: "is only for workbooks" }]);
  assert.deepEqual(await roster(client), []);
});

test("a request with a workbook is sent again with its key, and is done once", async () => {
  const { client, screenerId } = await service.screener();
  const file = await workbook({
    People: [
      ["externalUid", "email", "name"],
      ["P-1", "a@example.org", "Ada"],
    ],
  });
  const once = () =>
    client.call("POST", `/screener-participants-import?screenerId=${screenerId}`, {
      raw: file,
      headers: { "Content-Type": XLSX, "Idempotency-Key": "once" },
    });
  const [first, second] = [await once(), await once()];
  assert.equal(first.status, 200, first.text);
  assert.equal(second.text, first.text);
  assert.equal((await client.get("/jobs")).body.total, 1);
});

test("a table in Windows-1252 is read when its charset says so, and a byte order mark says more than that", async () => {
  const { client, screenerId } = await service.screener();
  const text = "externalUid,email,name,City\nP-1,a@example.org,Zoë “Müller”,Köln €\n";
  const bytes = Buffer.from(text.replace("“", "\x93").replace("”", "\x94").replace("€", "\x80"), "latin1");
  for (const [charset, raw] of [
    ["windows-1252", bytes],
    ["iso-8859-1", bytes],
    ["windows-1252", Buffer.from(`\uFEFF${text}`)],
  ] as const) {
    const answer = await send(client, screenerId, raw, "", `text/csv; charset=${charset}`);
    assert.equal(answer.status, 200, answer.text);
    const { body } = await client.get("/participants");
    assert.deepEqual([body.items[0].name, body.items[0].attributes], ["Zoë “Müller”", { City: "Köln €" }]);
  }
  const { body } = await send(client, screenerId, bytes, "", "text/csv");
  assert.match(
    body.errors[0].message,
    /^is not UTF-8, at line 2; if it is Windows-1252 \(Latin-1\), send charset=windows-1252$/,
  );
  assert.equal((await send(client, screenerId, bytes, "", "text/csv; charset=koi8-r")).status, 415);
});
