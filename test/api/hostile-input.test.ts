// Hostile input: the service answers with the right problem, goes on, and keeps nothing of it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { createGzip, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { statusOf } from "../../src/base/problems.ts";
import { problemsOf } from "../../src/http/openapi/replies.ts";
import { endpoints } from "../../src/main/app.ts";
import { type Answer, people } from "../support/client.ts";
import { dial, exchange, type PlainAnswer } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { populate } from "../support/world.ts";

const BODY_MAX = 64 * 1024;
const IMPORT_MAX = 256 * 1024;

const service = await startService({ config: { bodyMaxBytes: BODY_MAX, importMaxBytes: IMPORT_MAX } });
const world = await populate(service);

/** What lies in the spool. */
function spooled(): string[] {
  const folder = join(service.config.dataDir, "spool");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Routes that take a body. */
const BODIES = ["/screeners", "/participants", "/screener-publications", "/screener-sessions"];
const IMPORT = "/screener-participants-import";
const LISTS = [
  "/screeners",
  "/participants",
  "/screener-participants",
  "/screener-sessions",
  "/screener-responses",
  "/jobs",
];

function isProblem(
  { status, headers, text }: Pick<Answer, "status" | "headers" | "text">,
  wanted: number,
  code: string,
  what: string,
): void {
  assert.equal(status, wanted, `${what}: ${text.slice(0, 500)}`);
  assert.match(String(headers.get("content-type")), /^application\/problem\+json/, what);
  const problem = JSON.parse(text);
  assert.equal(problem.status, wanted, what);
  assert.equal(problem.code, code, what);
  assert.equal(problem.type, `/problems/${code}`, what);
  assert.ok(problem.title && problem.detail && problem.requestId, what);
  assert.equal(problem.requestId, headers.get("x-request-id"), what);
}

/** The same for an answer that was read by hand. */
function isPlainProblem({ status, headers, text }: PlainAnswer, wanted: number, code: string, what: string): void {
  const named = new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] => (value ? [[name, String(value)]] : [])),
  );
  isProblem({ status, headers: named, text }, wanted, code, what);
}

const post = (path: string, raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  world.client.call("POST", path, { raw, headers });

test("a random body is answered as the API's description says, and never with a 500", async () => {
  const words = ["title", "description", "screenerId", "email", "name", "externalUid", "participants", "importMode"];
  const more = ["tags", "category", "value", "first", "last", "status", "targetQualifiedParticipants", "__proto__"];
  const key = fc.oneof(fc.constantFrom(...words, ...more, "screenerParticipantId", "constructor"), fc.string());
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(world.screener, world.assignment, world.email, world.externalUid, "FULL_SYNC", "\0", "\ud800"),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, text, fc.double(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  }));
  const object = fc.dictionary(key, value, { maxKeys: 8 });
  for (const endpoint of endpoints.filter(({ body }) => body)) {
    const path = endpoint.path.replace(":id", world.screener);
    const documented = [...Object.keys(endpoint.replies).map(Number), ...problemsOf(endpoint).map(statusOf)];
    const allowed = documented.filter((status) => status < 500);
    await fc.assert(
      fc.asyncProperty(fc.oneof(object, value), async (body) => {
        const { status, text } = await world.client.call(endpoint.method.toUpperCase(), path, { body: body ?? null });
        assert.ok(allowed.includes(status), `${endpoint.operationId} answers ${status}: ${text}`);
      }),
      { numRuns: 40 },
    );
  }
});

test("bytes that are no JSON object are a 400", async () => {
  const shapes: Record<string, string | Uint8Array> = {
    nothing: "",
    "white space": " \n ",
    null: "null",
    "a number": "1",
    "a string": '"title"',
    "an array": '[{"title":"x"}]',
    "a cut object": '{"title":"x"',
    "a cut string": '{"title":"x',
    "two objects": "{}{}",
    "a trailing comma": '{"title":"x",}',
    "single quotes": "{'title':'x'}",
    "a comment": '{"title":"x"} // x',
    NaN: '{"title":NaN}',
    "a raw line break": '{"title":"a\nb"}',
    "a raw NUL": '{"title":"a\0b"}',
    "a form": "title=x",
    XML: "<title>x</title>",
    "UTF-8 with a byte missing": Buffer.from('{"title":"é"}').subarray(0, -3),
    Latin1: Buffer.from('{"title":"é"}', "latin1"),
    "UTF-16": Buffer.from('{"title":"x"}', "utf16le"),
    "UTF-16 with its mark": Buffer.from('\ufeff{"title":"x"}', "utf16le"),
    "overlong UTF-8": Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    "surrogates in UTF-8": Buffer.concat([
      Buffer.from('{"title":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
  };
  for (const path of [...BODIES, IMPORT]) {
    for (const [what, bytes] of Object.entries(shapes)) {
      isProblem(await post(path, bytes), 400, "invalid_request", `${path} with ${what}`);
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BODIES, IMPORT), fc.uint8Array({ maxLength: 200 }), async (path, bytes) => {
      isProblem(await post(path, bytes), 400, "invalid_request", path);
    }),
    { numRuns: 100 },
  );
});

test("nesting 100,000 deep is a 400, wherever it stands", async () => {
  const deep = (inner: string) => `${"[".repeat(100_000)}${inner}${"]".repeat(100_000)}`;
  const bodies = [deep(""), "[".repeat(30_000), '{"a":'.repeat(10_000)];
  for (const path of BODIES) {
    for (const raw of bodies.map((body) => body.slice(0, BODY_MAX - 100))) {
      isProblem(await post(path, raw), 400, "invalid_request", path);
    }
    isProblem(await post(path, `{"title":${"[".repeat(30_000)}${"]".repeat(30_000)}}`), 400, "invalid_request", path);
  }
  for (const raw of [
    deep(""),
    `{"screenerId":"${world.screener}","participants":${deep("")}}`,
    `{"screenerId":"${world.screener}","participants":[${deep("").slice(2000, -2000)}]}`,
    `{"screenerId":${"[".repeat(100_000)},"participants":[]}`,
  ]) {
    isProblem(await post(IMPORT, raw), 400, "invalid_request", raw.slice(0, 80));
  }
});

test("the answer to a hostile body is short", async () => {
  const bad = Array(100).fill('"\\u0000"').join();
  for (const path of ["/screeners", IMPORT]) {
    for (const raw of [
      `{"title":"x","${"k".repeat(60_000)}":[${bad}]}`,
      `{"title":"x","a":${"[".repeat(30_000)}${bad}${"]".repeat(30_000)}}`,
      `{"title":"x","participants":[{"a":${"[".repeat(30_000)}${bad}${"]".repeat(30_000)}}]}`,
    ]) {
      const answer = await post(path, raw);
      isProblem(answer, 400, "invalid_request", path);
      assert.ok(answer.text.length < 200_000, `${answer.text.length} characters of problem`);
    }
  }
  const tags = Array(20_000).fill("{}");
  const { body } = await post("/screener-publications", `{"screenerId":"${world.screener}","tags":[${tags}]}`);
  assert.equal(body.errorCount, 1);
  const many = await world.client.import(world.screener, Array(50_000).fill(1));
  isProblem(many, 400, "invalid_request", "50,000 rows that are none");
  assert.equal(many.body.errors.length, 100);
  assert.equal(many.body.errorCount, 50_000);
});

test("U+0000 and lone surrogates are refused anywhere in a body, and the answer names the position", async () => {
  const located: Record<string, string> = {
    "/title": '{"title":"a\\u0000b"}',
    "/description": '{"title":"x","description":"\\ud800"}',
    "/unknown/1/deep": '{"title":"x","unknown":[1,{"deep":"\\udfff"}]}',
    "/a~1b~0c": '{"title":"x","a/b~c":"\\u0000"}',
    "": '{"title":"x","\\u0000":1}',
  };
  for (const [pointer, raw] of Object.entries(located)) {
    const answer = await post("/screeners", raw);
    isProblem(answer, 400, "invalid_request", raw);
    assert.deepEqual(answer.body.errors, [{ pointer, message: "holds U+0000 or a lone surrogate" }]);
  }
  const row = `{"externalUid":"x","email":"x@example.org","name":"\\ud83d"}`;
  const answer = await post(IMPORT, `{"screenerId":"${world.screener}","participants":[${row}]}`);
  isProblem(answer, 400, "invalid_request", row);
  assert.equal(answer.body.errors[0].pointer, "/participants/0/name");
  assert.equal((await post("/screeners", '{"title":"\\ud83d\\ude00"}')).body.title, "😀");
});

test("names that JavaScript or SQL uses itself mean nothing special", async () => {
  for (const raw of ['{"__proto__":{"title":"x"}}', '{"constructor":{"title":"x"}}', '{"toString":1}']) {
    isProblem(await post("/screeners", raw), 400, "invalid_request", raw);
  }
  const title = `'); DROP TABLE screener; -- "\\ %s $1 ? :x`;
  const { status, body } = await world.client.post("/screeners", { title });
  assert.equal(status, 201);
  assert.equal((await world.client.get(`/screeners/${body.id}`)).body.title, title);
  for (const id of ["__proto__", "constructor", "'", "%00", "%ff", "%", "%2e%2e%2f", "a".repeat(60_000)]) {
    assert.equal((await world.client.get(`/screeners/${id}`)).status, 404, id);
  }
});

test("a query that is not understood is a 400, and never an unfiltered list", async () => {
  const queries = [
    "filter[__proto__][eq]=x",
    "filter[constructor][eq]=x",
    "filter[hasOwnProperty][in][]=x",
    "filter[externalUid][__proto__]=x",
    "filter[externalUid][constructor]=x",
    "filter[externalUid]=x",
    "filter[externalUid][eq][]=x",
    "filter[externalUid][eq][0]=x",
    "filter[externalUid][eq]=x&filter[externalUid][eq]=y",
    "filter[externalUid][EQ]=x",
    "filter[externaluid][eq]=x",
    "filter[][eq]=x",
    "filter[[externalUid]][eq]=x",
    "filter.externalUid.eq=x",
    "filter=x",
    "filter",
    "filter[externalUid][eq",
    "FILTER[externalUid][eq]=x",
    " filter[externalUid][eq]=x",
    "filter[externalUid][eq]%00=x",
    "filter[externalUid][eq]=%00",
    "filter[externalUid][eq]=%ff",
    "filter[externalUid][eq]=%C0%AF",
    "filter[externalUid][eq]=%ED%A0%80",
    "filter[externalUid][eq]=%",
    "filter[externalUid][eq]=%zz",
    "pagination=1",
    "pagination[limit][]=1",
    "pagination[__proto__]=1",
    "pagination[limit]=1&pagination[limit]=2",
    "limit=1",
    "offset=1",
    "__proto__=x",
    "a[b][c][d][e]=x",
    "=x",
  ];
  for (const path of LISTS) {
    for (const query of queries) {
      isProblem(await world.client.get(`${path}?${query}`), 400, "invalid_request", `${path}?${query}`);
    }
  }
  for (const value of ["-1", "1.5", "1e3", "", " 1", "+1", "0x1", "NaN", "Infinity", "1;2", "١"]) {
    for (const name of ["limit", "offset"]) {
      const query = `/participants?pagination[${name}]=${encodeURIComponent(value)}`;
      isProblem(await world.client.get(query), 400, "invalid_request", query);
    }
  }
  for (const path of [`/participants/${world.participant}`, `/jobs/${world.job}/result`, "/healthz"]) {
    isProblem(await world.client.get(`${path}?a=1`), 400, "invalid_request", path);
  }
});

test("random parameters of a list are refused, all of them, unless they are its own", async () => {
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .tuple(
        fc.constantFrom("filter", "pagination", "Filter"),
        fc.string({ maxLength: 8 }),
        fc.string({ maxLength: 4 }),
      )
      .map(([family, field, operator]) => `${family}[${field}][${operator}]`),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LISTS), name, fc.string({ unit: "binary" }), async (path, parameter, value) => {
      const query = `${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`;
      isProblem(await world.client.get(`${path}?${query}`), 400, "invalid_request", query);
    }),
    { numRuns: 200 },
  );
});

test("10,000 parameters and 501 values of a filter are a 400; 500 values are a list", async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `a${i}=1`).join("&");
  const answer = await world.client.get(`/participants?${many}`);
  isProblem(answer, 400, "invalid_request", "10,000 parameters");
  assert.equal(answer.body.errors.length, 100);
  assert.equal(answer.body.errorCount, 10_000);
  const values = (count: number) =>
    Array.from({ length: count }, (_, i) => `filter[externalUid][in][]=World-${i}`).join("&");
  isProblem(await world.client.get(`/participants?${values(501)}`), 400, "invalid_request", "501 values");
  assert.equal((await world.client.get(`/participants?${values(500)}`)).body.total, 2);
});

test("headers that are too large are a 431, and what is no HTTP a 400, both as problems", async () => {
  const credentials = Object.entries({
    "X-Service-Api-Key": world.client.credentials.apiKey,
    "X-Service-Api-Secret": world.client.credentials.apiSecret,
  }).map(([name, value]) => `${name}: ${value}`);
  const head = (first: string, ...lines: string[]) =>
    `${[first, "Host: x", "Connection: close", ...credentials, ...lines].join("\r\n")}\r\n\r\n`;
  const large = {
    "one header": head("GET /screeners HTTP/1.1", `X-Large: ${"x".repeat(200_000)}`),
    "many headers": head("GET /screeners HTTP/1.1", ...Array.from({ length: 20_000 }, (_, i) => `X-${i}: 123456`)),
    "the path": head(`GET /${"x".repeat(200_000)} HTTP/1.1`),
    "the query": head(`GET /screeners?${"x".repeat(200_000)} HTTP/1.1`),
  };
  for (const [what, bytes] of Object.entries(large)) {
    isPlainProblem(await exchange(service.url, bytes), 431, "headers_too_large", what);
  }
  const json = ["Content-Type: application/json"];
  const malformed = {
    "a TLS handshake": "\x16\x03\x01\x02\x00\x01\x00\x01",
    "no HTTP at all": "hello\r\n\r\n",
    "an unknown method": head("BREW /screeners HTTP/1.1"),
    "another version": head("GET /screeners HTTP/3.0"),
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a space in the path": head("GET /screen ers HTTP/1.1"),
    "no path": head("GET  HTTP/1.1"),
    "no slash": head("GET screeners HTTP/1.1"),
    "a NUL in a header": head("GET /screeners HTTP/1.1", "X-Bad: a\0b"),
    "a header without a name": head("GET /screeners HTTP/1.1", ": x"),
    "a header without a colon": head("GET /screeners HTTP/1.1", "nonsense"),
    "a folded header": head("GET /screeners HTTP/1.1", "X-Bad: a\r\n b: c", " x"),
    "no Host": `GET /screeners HTTP/1.1\r\nConnection: close\r\n\r\n`,
    "a target that is no URL": head("GET http://[ HTTP/1.1"),
    "a target with a bad port": head("GET http://a:b/screeners HTTP/1.1"),
    "a length that is none": head("POST /screeners HTTP/1.1", ...json, "Content-Length: x"),
    "a negative length": head("POST /screeners HTTP/1.1", ...json, "Content-Length: -1"),
    "two lengths": head("POST /screeners HTTP/1.1", ...json, "Content-Length: 2", "Content-Length: 3"),
    "a length and chunks": head("POST /screeners HTTP/1.1", "Content-Length: 2", "Transfer-Encoding: chunked"),
    "an unknown transfer encoding": head("POST /screeners HTTP/1.1", ...json, "Transfer-Encoding: gzip"),
    "a bad chunk": `${head("POST /screeners HTTP/1.1", ...json, "Transfer-Encoding: chunked")}ZZ\r\n\r\n`,
    "a bad chunk of an import": `${head(`POST ${IMPORT} HTTP/1.1`, ...json, "Transfer-Encoding: chunked")}2\r\n{}\r\nZZ\r\n`,
    "a bad chunk of a gzipped import": `${head(`POST ${IMPORT} HTTP/1.1`, ...json, "Content-Encoding: gzip", "Transfer-Encoding: chunked")}2\r\n{}\r\nZZ\r\n`,
  };
  for (const [what, bytes] of Object.entries(malformed)) {
    isPlainProblem(await exchange(service.url, Buffer.from(bytes, "latin1")), 400, "invalid_request", what);
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 100 }), async (bytes) => {
      // A line break at the end, so that the server has something to decide on.
      const { status } = await exchange(
        service.url,
        Buffer.concat([Buffer.from("\0"), bytes, Buffer.from("\r\n\r\n")]),
      );
      assert.equal(status, 400);
    }),
    { numRuns: 50 },
  );
});

test("header values that make no sense are a 400 that names them", async () => {
  const bad = {
    "Idempotency-Key": ["", " ", "x".repeat(256)],
    "X-Service-Api-Version": [
      "2.0.0",
      "1",
      "1.0",
      "1.0.0.0",
      "v1.0.0",
      "01.0.0",
      "1.0.x",
      "1.0.0, 1.0.0",
      "latest",
      "-1.0.0",
    ],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const answer = await world.client.post("/screeners", { title: "x" }, { [name]: value });
      const code = name === "Idempotency-Key" ? "invalid_request" : "unsupported_api_version";
      isProblem(answer, 400, code, `${name}: ${value.slice(0, 20)}`);
      assert.equal(answer.body.errors[0].pointer, name);
    }
  }
  // RFC 7240: a preference that is not understood is ignored.
  for (const prefer of ["wait=-1", "wait=x", "respond-asynchronously", ";;,,=", "wait", '"', "x".repeat(5000)]) {
    const answer = await world.client.import(world.screener, people(1), {}, { Prefer: prefer });
    assert.equal(answer.status, 200, prefer);
  }
});

test("a body that does not decompress is a 400, and an encoding or charset that is unknown a 415", async () => {
  const json = JSON.stringify({ title: "x", screenerId: world.screener, participants: people(1), externalUid: "x" });
  const gzipped = gzipSync(json);
  const broken = Buffer.from(gzipped);
  broken[broken.length - 6]! ^= 0xff;
  for (const path of [...BODIES, IMPORT]) {
    const cases: [string, Uint8Array | string, Record<string, string>, number][] = [
      ["no gzip", json, { "Content-Encoding": "gzip" }, 400],
      ["half a gzip", gzipped.subarray(0, 30), { "Content-Encoding": "gzip" }, 400],
      ["a gzip with a wrong sum", broken, { "Content-Encoding": "gzip" }, 400],
      ["an empty gzip", gzipSync(""), { "Content-Encoding": "gzip" }, 400],
      ["no deflate", json, { "Content-Encoding": "deflate" }, 400],
      ["no brotli", json, { "Content-Encoding": "br" }, 400],
      ["gzip that says deflate", gzipped, { "Content-Encoding": "deflate" }, 400],
      ["gzip that says nothing", gzipped, {}, 400],
      ["an unknown encoding", json, { "Content-Encoding": "rot13" }, 415],
      ["two encodings", gzipSync(gzipped), { "Content-Encoding": "gzip, gzip" }, 415],
      ["another charset", json, { "Content-Type": "application/json; charset=utf-16" }, 415],
      ["Latin1", json, { "Content-Type": "application/json; charset=iso-8859-1" }, 415],
      ["plain text", json, { "Content-Type": "text/plain" }, 415],
      ["a form", json, { "Content-Type": "application/x-www-form-urlencoded" }, 415],
      ["parts", json, { "Content-Type": "multipart/form-data; boundary=x" }, 415],
      ["nearly JSON", json, { "Content-Type": "application/jsonp" }, 415],
      ["an empty type", json, { "Content-Type": "" }, 415],
      ["a type that is none", json, { "Content-Type": ";;;" }, 415],
    ];
    for (const [what, bytes, headers, status] of cases) {
      const code = status === 400 ? "invalid_request" : "unsupported_media_type";
      isProblem(await post(path, bytes, headers), status, code, `${path} with ${what}`);
    }
  }
  for (const [encoding, bytes] of [
    ["gzip", gzipSync('{"title":"packed"}')],
    ["deflate", deflateSync('{"title":"packed"}')],
    ["identity", Buffer.from('{"title":"packed"}')],
  ] as const) {
    const type = "application/json; charset=UTF-8";
    const { status, body } = await post("/screeners", bytes, { "Content-Encoding": encoding, "Content-Type": type });
    assert.deepEqual([status, body.title], [201, "packed"]);
  }
});

test("a body over its limit is a 413, with Content-Length or without, and leaves nothing", async () => {
  for (const [path, limit] of [...BODIES.map((path) => [path, BODY_MAX] as const), [IMPORT, IMPORT_MAX] as const]) {
    const jobs = (await world.client.get("/jobs")).body.total;
    const whole = `{"title":"${"x".repeat(limit)}"}`;
    isProblem(await post(path, whole), 413, "body_too_large", `${path} with its length`);
    const chunks = Readable.toWeb(Readable.from(Array(64).fill(Buffer.alloc(limit / 32, "x"))));
    const streamed = await fetch(service.url + path, {
      method: "POST",
      headers: {
        "X-Service-Api-Key": world.client.credentials.apiKey,
        "X-Service-Api-Secret": world.client.credentials.apiSecret,
        "Content-Type": "application/json",
      },
      body: chunks as ReadableStream,
      duplex: "half",
    } as RequestInit);
    const text = await streamed.text();
    isProblem({ status: streamed.status, headers: streamed.headers, text }, 413, "body_too_large", `${path} in chunks`);
    // One byte less than the limit is read, and found wanting for another reason.
    const fits = `{"title":"${"x".repeat(limit - 12)}"}`;
    assert.equal(Buffer.byteLength(fits), limit);
    assert.equal((await post(path, fits)).status, 400, path);
    // The import that fits was a job, which failed; the others were none.
    assert.equal((await world.client.get("/jobs")).body.total, path === IMPORT ? jobs + 1 : jobs);
  }
  await service.drain();
  await until(() => spooled().length === 0, "the spool is empty");
});

test("a gzip bomb is a 413, and is never unpacked as a whole", async () => {
  const zeros = Buffer.alloc(1024 * 1024, " ");
  const bomb = await buffer(Readable.from(Array(256).fill(zeros)).pipe(createGzip()));
  assert.ok(bomb.length < 1024 * 1024);
  const before = process.memoryUsage().rss;
  for (const path of [...BODIES, IMPORT]) {
    isProblem(
      await post(path, bomb.subarray(0, BODY_MAX - 1), { "Content-Encoding": "gzip" }),
      413,
      "body_too_large",
      path,
    );
  }
  isProblem(
    await post(IMPORT, bomb.subarray(0, IMPORT_MAX), { "Content-Encoding": "gzip" }),
    413,
    "body_too_large",
    "",
  );
  assert.ok(process.memoryUsage().rss - before < 128 * 1024 * 1024, "the bomb was unpacked");
  await until(() => spooled().length === 0, "the spool is empty");
});

test("an upload that breaks off at any moment leaves neither a job nor a file, and the service goes on", async () => {
  const before = (await world.client.get("/jobs")).body.total;
  const { apiKey, apiSecret } = world.client.credentials;
  const body = JSON.stringify({ screenerId: world.screener, participants: people(3000) });
  for (const encoding of ["", "Content-Encoding: gzip\r\n"]) {
    const bytes = encoding ? gzipSync(body) : Buffer.from(body);
    for (const path of [IMPORT, "/screeners"]) {
      for (let part = 0; part <= 10; part++) {
        const socket = await dial(service.url);
        const head =
          `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n` +
          `Content-Type: application/json\r\n${encoding}Content-Length: ${bytes.length + 1}\r\n\r\n`;
        socket.write(head);
        const sent = bytes.subarray(0, Math.floor((bytes.length * part) / 10));
        await new Promise((resolve) => socket.write(sent, resolve));
        // At once; or when the server has surely begun to read, and has more than goes into the ledger.
        if (part > 3 && part % 2) await until(() => path !== IMPORT || spooled().length > 0, "the upload has begun");
        if (part % 3) socket.destroy();
        else socket.end();
        if (!socket.destroyed) socket.resume();
        await once(socket, "close");
      }
    }
  }
  await until(() => spooled().length === 0, "the spool is empty");
  assert.equal((await world.client.get("/jobs")).body.total, before);
  assert.equal((await world.client.import(world.screener, people(1))).status, 200);
});

test("after all these requests the spool is empty, and the service works as before", async () => {
  await service.drain();
  await until(() => spooled().length === 0, "the spool is empty");
  assert.equal((await world.client.get("/readyz")).status, 200);
  assert.equal((await world.client.import(world.screener, people(1))).status, 200);
});
