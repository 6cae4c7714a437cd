// The Python client against a running service, where Python and httpx are there.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { newFolder } from "../support/folder.ts";
import { answer, onOnePage } from "../support/one-page.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const CLIENT = resolve("clients/python");
const MAX_LINES = 500;
/** What its package asks for. */
const OLDEST = /^requires-python = ">=(3\.\d+)"$/m.exec(readFileSync(join(CLIENT, "pyproject.toml"), "utf8"))![1]!;

/** Where the first Python is that can import these modules. */
function pythonWith(...modules: string[]): string | undefined {
  const lines = ["import sys; assert sys.version_info >= (3, 10)", ...modules.map((one) => `import ${one}`)];
  const program = [...lines, "print(sys.executable)"].join("\n");
  for (const name of ["python3", "/usr/bin/python3"]) {
    const { status, stdout } = spawnSync(name, ["-c", program], { encoding: "utf8" });
    if (status === 0) return stdout.trim().split("\n").at(-1);
  }
  return undefined;
}

const python = pythonWith("httpx");
const plotting = pythonWith("httpx", "pandas", "matplotlib");
const skip = !python && "Python 3.10 with httpx is not here (Debian: python3-httpx)";
const withPolars = pythonWith("httpx", "polars");
const skipFrames = !plotting && "pandas and matplotlib are not here (Debian: python3-pandas, python3-matplotlib)";

const service = await startService();
const home = newFolder();

/** Runs a program with the client, and gives what it prints last, as JSON. */
async function program(of: string, text: string, more: Record<string, string> = {}) {
  const { apiKey, apiSecret } = service.workspace().credentials;
  const file = join(home, "program.py");
  writeFileSync(file, `${HEAD}${text}`);
  const env = {
    ...{ PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: "1", SCREENING_URL: service.url },
    ...{ SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret, ...more },
  };
  const { stdout } = await run(of, [file], { env });
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

const HEAD = `
import json, os
from pathlib import Path
from screening_client import ApiError, Client, verify_webhook
env = os.environ
client = Client(env["SCREENING_URL"], api_key=env["SCREENING_KEY"], api_secret=env["SCREENING_SECRET"], retry_for=20)
def uids():
    return [one["externalUid"] for one in client.items("/participants")]
def person(uid):
    return {"externalUid": uid, "name": "Zoë " + uid, "email": uid + "@example.org"}
`;

test("its core is short, and its types hold in strict mode", { skip }, async (t) => {
  const core = readFileSync(join(CLIENT, "screening_client/core.py"), "utf8");
  assert.ok(core.split("\n").length <= MAX_LINES);
  if (spawnSync("mypy", ["--version"]).status !== 0) return t.diagnostic("mypy is not here (Debian: mypy)");
  const file = join(home, "typed.py");
  writeFileSync(
    file,
    'from screening_client import Client\nx: int = Client("").get("/participants/{id}", id="a")["name"]\n',
  );
  const options = { cwd: CLIENT, env: { ...process.env, MYPYPATH: CLIENT } };
  const strict = ["--strict", "--python-version", OLDEST, "--cache-dir", join(home, "mypy")];
  await run("mypy", [...strict, "screening_client"], options);
  const wrong = await run("mypy", [...strict, file], options).catch((error) => error);
  assert.match(wrong.stdout, /expression has type "(?:Optional\[str\]|Union\[str, None\])", variable has type "int"/);
});

test("it is installed into a fresh environment, and brings its types and nothing else", { skip }, async (t) => {
  const building = pythonWith("httpx", "ensurepip", "pip", "setuptools");
  if (!building)
    return t.diagnostic("Python's packages are not here (Debian: python3-venv, python3-pip, python3-setuptools)");
  const environment = join(newFolder(), "venv");
  const copy = join(newFolder(), "client");
  // A build writes beside its sources.
  cpSync(CLIENT, copy, { recursive: true });
  // httpx and what builds packages are the system's: nothing is loaded from elsewhere.
  const made = spawnSync(building, ["-m", "venv", "--system-site-packages", environment], { encoding: "utf8" });
  assert.equal(made.status, 0, made.stdout + made.stderr);
  const own = join(environment, "bin/python");
  const before = performance.now();
  const options = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--quiet"];
  await run(own, ["-m", "pip", "install", ...options, copy]);
  t.diagnostic(`installed in ${((performance.now() - before) / 1000).toFixed(1)} s`);
  const { stdout } = await run(own, ["-m", "pip", "show", "--files", "screening-client"]);
  const files = [...stdout.matchAll(/^ {2}(\S+)$/gm)]
    .map(([, name]) => name!)
    .filter((name) => !/dist-info|pycache/.test(name));
  const modules = ["__init__", "core", "models", "operations"].map((name) => `screening_client/${name}.py`);
  assert.deepEqual(files, [...modules, "screening_client/py.typed"]);
  const found = await program(
    own,
    `
import screening_client
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
done = client.import_participants(screener, participants=[person("a")])
print(json.dumps([screening_client.__file__, done.job["status"], uids()]))`,
    { PYTHONPATH: "" },
  );
  assert.ok(found[0].startsWith(environment), found[0]);
  assert.deepEqual(found.slice(1), ["SUCCEEDED", ["a"]]);
});

test("it is written for the oldest Python that it names, whichever is here", { skip }, async (t) => {
  // Its parser knows the syntax of each version; mypy also what its library has: Self is of 3.11.
  const parse = (...files: string[]) => run(python!, ["-c", PARSE, OLDEST.split(".")[1]!, ...files]);
  await parse(...globSync(`${CLIENT}/**/*.py`));
  const groups = join(home, "groups.py");
  writeFileSync(groups, "try: pass\nexcept* OSError: pass\n");
  await assert.rejects(parse(groups), /only supported in Python 3.11/);
  if (spawnSync("mypy", ["--version"]).status !== 0) return t.diagnostic("mypy is not here (Debian: mypy)");
  const later = join(home, "later.py");
  writeFileSync(later, "from typing import Self\n");
  const wrong = await run("mypy", ["--python-version", OLDEST, "--cache-dir", join(home, "mypy"), later]).catch(
    (error) => error,
  );
  assert.match(wrong.stdout, /Module "typing" has no attribute "Self"/);
});

const PARSE = `
import ast, sys
from pathlib import Path
for file in sys.argv[2:]:
    ast.parse(Path(file).read_text(), file, feature_version=(3, int(sys.argv[1])))
`;

test("it imports, plans, applies, discards and undoes, and lists page by page", { skip }, async () => {
  const found = await program(
    python!,
    `
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
seen = []
done = client.import_participants(screener, participants=[person("a"), person("b")], on_progress=lambda job: seen.append(job["status"]), note="für Zoë")
again = [client.import_participants(screener, ndjson=json.dumps(person("c")), idempotency_key="one").id for _ in range(2)]
plan = client.import_participants(screener, csv="Person;name;email\\nd;D;d@example.org\\n", columns={"Person": "externalUid"}, dry_run=True)
before = uids()
applied = plan.apply()
path = Path(${JSON.stringify(join(home, "people.csv"))})
path.write_text("externalUid,name,email\\ne,E,e@example.org\\n")
client.import_participants(screener, csv=path, mode="FULL_SYNC", max_removals=0).discard()
undone = applied.undo()
two = list(client.items("/participants", query={"pagination[limit]": 1, "filter[externalUid][in]": ["a", "c"]}))
none = list(client.items("/participants", query={"filter[externalUid][in]": []}))
print(json.dumps({
    "outcomes": [row["outcome"] for row in done.rows()], "seen": seen[-1], "isOne": again[0] == again[1],
    "isPlan": plan.is_plan, "before": before, "after": uids(), "undone": undone.job["status"],
    "two": [one["name"] for one in two], "none": none, "status": client.call("GET", "/screeners/{id}", id=screener).status,
}))`,
  );
  assert.deepEqual(found, {
    ...{ outcomes: ["CREATED", "CREATED"], seen: "SUCCEEDED", isOne: true, isPlan: true },
    ...{ before: ["a", "b", "c"], after: ["a", "b", "c"], undone: "SUCCEEDED", two: ["Zoë a", "Zoë c"] },
    ...{ none: [], status: 200 },
  });
});

test("an error says what is wrong, and what passes is tried again", { skip }, async () => {
  const asked: string[] = [];
  // A proxy in front of a service that is away for a moment.
  const proxy = createServer((request, response) => {
    asked.push(request.headers["idempotency-key"] as string);
    response.writeHead(asked.length < 3 ? 503 : 201, { "Content-Type": "application/json", "Retry-After": "0" });
    response.end(asked.length < 3 ? "<html>" : '{"id":"x"}');
  }).listen(0, "127.0.0.1");
  after(() => proxy.close());
  await once(proxy, "listening");
  const found = await program(
    python!,
    `
def failure(call):
    try:
        call()
    except ApiError as error:
        return [error.status, error.code, [one["pointer"] for one in error.errors]]
def said(call):
    try:
        call()
    except ApiError as error:
        return str(error)
def unfilled():
    try:
        client.get("/participants/{id}")
    except TypeError as error:
        return str(error)
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
away = Client(env["AWAY"], access_token="x")
print(json.dumps([
    failure(lambda: client.post("/participants", body={"externalUid": "", "email": "nobody", "name": "A"})),
    failure(lambda: client.get("/participants/{id}", id="../x y")),
    failure(lambda: client.import_participants(screener, participants=[{"externalUid": "a", "email": "nobody"}])),
    said(lambda: client.post("/participants", body={"externalUid": "", "email": "nobody", "name": "A"})),
    unfilled(),
    away.post("/screeners", body={"title": "x", "description": None})["id"],
]))`,
    { AWAY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
  );
  assert.deepEqual(found.slice(0, 2), [
    [400, "invalid_request", ["/externalUid", "/email"]],
    [404, "participant_not_found", []],
  ]);
  assert.deepEqual(found[2].slice(0, 2), [400, "invalid_request"]);
  assert.match(found[3], /^The request has 2 errors\.\n {2}\/externalUid is required\n {2}\/email must .+$/);
  assert.equal(found[4], "The path /participants/{id} needs id.");
  assert.equal(found[5], "x");
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked).size, 1);
});

test("the feed goes on where it was, and signatures of webhooks are looked at", { skip }, async () => {
  const found = await program(
    python!,
    `
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
first = list(client.feed())
client.import_participants(screener, participants=[person("a")])
second = [event["type"] for event in client.feed(first[-1]["id"])]
waiting = client.feed(wait=True)
import base64, hashlib, hmac
secret = "whsec_" + base64.b64encode(b"k" * 24).decode()
body = b'{"type":"x"}'
def signed(at, body):
    mac = hmac.new(b"k" * 24, b"msg_1." + str(at).encode() + b"." + body, hashlib.sha256).digest()
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": "v1,AAAA v1," + base64.b64encode(mac).decode()}
def refused(headers, body, now, secret=secret):
    try:
        verify_webhook(secret, headers, body, now=now)
    except ValueError as error:
        return str(error)
print(json.dumps({
    "first": first[-1]["type"], "second": second, "waits": next(waiting)["id"] == first[0]["id"],
    "message": verify_webhook(secret, signed(1000, body), body, now=1200),
    "refused": [refused(signed(1000, body), b"{}", 1000), refused(signed(1000, body), body, 1301), refused({}, body, 0)],
    "without": [refused(signed(1000, body), body, 1000, none) for none in ("", "whsec_", "whsec_!", "…")],
}))`,
  );
  assert.equal(found.first, "screener.created");
  assert.deepEqual([found.second, found.waits, found.message], [["import.completed"], true, { type: "x" }]);
  assert.match(found.refused[0], /signature/);
  for (const late of found.refused.slice(1)) assert.match(late, /too old/);
  // Anybody can sign with an empty key.
  for (const without of found.without) assert.match(without, /The secret is none/);
});

test("what the service delivers to a webhook is verified, also while its secret is replaced", { skip }, async () => {
  const found = await program(
    python!,
    `
import base64, queue, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
came, secrets = queue.Queue(), {}
def says(secret, headers, body):
    try:
        return verify_webhook(secret, headers, body)["type"]
    except ValueError as error:
        return str(error)
class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        came.put({**{name: says(secret, self.headers, body) for name, secret in secrets.items()},
            "changed": says(secrets["right"], self.headers, body.replace(b"Zo", b"zo"))})
    def log_message(self, *_):
        pass
server = HTTPServer(("127.0.0.1", 0), Hook)
threading.Thread(target=server.serve_forever, daemon=True).start()
hook = client.post("/webhook-endpoints", body={"url": f"http://127.0.0.1:{server.server_port}/hook", "types": ["screener.created"]})
secrets.update(right=hook["secret"], wrong="whsec_" + base64.b64encode(b"w" * 24).decode())
client.post("/screeners", body={"title": "Zoë’s sleep", "description": None})
first = came.get(timeout=60)
secrets["new"] = client.post("/webhook-endpoints/{id}/rotate-secret", id=hook["id"], body={})["secret"]
client.post("/screeners", body={"title": "Zoë’s dreams", "description": None})
print(json.dumps([first, came.get(timeout=60)]))`,
  );
  const wrong = "The message has no right signature.";
  const first = { right: "screener.created", wrong, changed: wrong };
  assert.deepEqual(found, [first, { ...first, new: "screener.created" }]);
});

test("a data frame is imported: missing cells are left out, and further columns are attributes", {
  skip: skip || skipFrames,
}, async () => {
  const found = await program(
    plotting!,
    `
import pandas as pd
frame = pd.DataFrame({
    "externalUid": ["1", "2"], "name": ["A", "B"], "email": ["a@example.org", "b@example.org"],
    "visits": [3, 4], "weight": [72.5, float("nan")], "since": [pd.Timestamp("2026-01-31"), pd.NaT], "member": [True, False],
})
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
client.import_participants(screener, frame=frame)
# Where somebody has no id, pandas makes the others 9001.0.
gappy = pd.DataFrame({"externalUid": [9001, None], "name": ["C", "D"], "email": ["c@example.org", "d@example.org"]})
client.import_participants(screener, frame=gappy.dropna())
print(json.dumps([[one["externalUid"], one["attributes"]] for one in client.items("/participants")]))`,
  );
  assert.deepEqual(found, [
    ["1", { visits: 3, weight: 72.5, since: "2026-01-31T00:00:00", member: true }],
    ["2", { visits: 4, member: false }],
    ["9001", {}],
  ]);
});

test("a frame's missing cells of all kinds are left out, and cells that no attribute has are all refused", {
  skip: skip || skipFrames,
}, async () => {
  const found = await program(
    plotting!,
    `
import numpy as np, pandas as pd
from screening_client import rows_of_frame
# What convert_dtypes() makes has NA, which says nothing of its equals.
kinds = {"externalUid": pd.array([1, None], "Int64"), "ok": pd.array([True, None], "boolean"), "site": pd.Categorical(["u", None])}
wrong = pd.DataFrame({"externalUid": ["1", "2"], "most": [np.inf, 1.5], "all": [[1], np.array([1, 2])]})
def refused(frame):
    try:
        rows_of_frame(frame)
    except (TypeError, ValueError) as error:
        return str(error).split("\\n")
print(json.dumps([list(rows_of_frame(pd.DataFrame(kinds))), refused(wrong), refused([{}])]))`,
  );
  const none = "is no text, finite number, true, false, date or time.";
  assert.deepEqual(found, [
    [{ externalUid: "1", attributes: { ok: true, site: "u" } }, {}],
    [`Row 1, column most: inf ${none}`, `Row 1, column all: list ${none}`, `Row 2, column all: ndarray ${none}`],
    ["list is no data frame of pandas or Polars. A lazy one has collect()."],
  ]);
});

test("a data frame of Polars is imported as one of pandas is", { skip }, async (t) => {
  if (!withPolars) return t.diagnostic("Polars is not here (`pip install polars`; no package of Debian)");
  const found = await program(
    withPolars,
    `
import datetime as d, decimal
import polars as pl
from screening_client import rows_of_frame
noon = d.datetime(2026, 1, 31, 12, tzinfo=d.timezone.utc)
frame = pl.DataFrame({
    "externalUid": [1, 2], "name": ["A", "B"], "email": ["a@example.org", "b@example.org"],
    "visits": [3, None], "weight": [72.5, float("nan")], "since": [d.date(2026, 1, 31), None], "seen": [noon, None],
    "member": [True, False], "paid": [decimal.Decimal("1.50"), None], "site": pl.Series(["u", None], dtype=pl.Categorical),
})
screener = client.post("/screeners", body={"title": "Sleep", "description": None})["id"]
done = client.import_participants(screener, frame=frame)
def refused(frame):
    try:
        rows_of_frame(frame)
    except (TypeError, ValueError) as error:
        return str(error).split(" ")[0]
print(json.dumps([[one["externalUid"], one["attributes"]] for one in client.items("/participants")] + [
    done.job["summary"]["created"], refused(frame.lazy()), refused(frame.with_columns(pl.lit([1]).alias("all"))),
]))`,
  );
  const seen = "2026-01-31T12:00:00+00:00";
  assert.deepEqual(found, [
    ["1", { visits: 3, weight: 72.5, since: "2026-01-31", seen, member: true, paid: 1.5, site: "u" }],
    ["2", { member: false }],
    ...[2, "LazyFrame", "Row"],
  ]);
});

test("the example draws a chart of a study", { skip: skip || skipFrames }, async () => {
  const question = { _type: "ScreenerNumericQuestion", prompt: "Age?", required: true };
  const {
    client,
    screener,
    question: [age],
    sessions,
  } = await onOnePage(service, [question], 2);
  for (const session of sessions) await answer(client, session, { [age!]: 36 });
  const picture = join(home, "chart.png");
  const { apiKey, apiSecret } = client.credentials;
  const env = { PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: "1", MPLCONFIGDIR: home, HOME: home };
  const { stdout } = await run(plotting!, [join(CLIENT, "examples/chart.py"), screener, picture], {
    env: { ...env, SCREENING_URL: service.url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret },
  });
  assert.match(stdout, /'\w+': 2/);
  assert.match(stdout, /2 sessions in /);
  assert.ok(existsSync(picture) && statSync(picture).size > 5000);
});
