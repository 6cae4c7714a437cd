// The import law: which file may know of which. And what else holds of the source as a whole.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const files = globSync("{src,workers,db}/**/*.{ts,tsx}")
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

const NOUNS = [
  "screeners",
  "screener-publications",
  "participants",
  "screener-participants",
  "screener-sessions",
  "screener-responses",
  "screener-content",
];

/** What a file imports: files of ours by their path, packages by their name. */
interface Import {
  name: string;
  /** It is gone when the file runs. */
  isType: boolean;
  /** It is loaded when it is needed, and not with the file. */
  isLater: boolean;
}

function importsOf(file: string): Import[] {
  const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const statements = code.matchAll(
    /^(?:import|export)\b(\s+type\b)?(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
  );
  return [...statements].map(([, type, plain, dynamic]) => {
    const name = plain ?? dynamic ?? "";
    return {
      name: name.startsWith(".") ? join(dirname(file), name) : packageOf(name),
      isType: type !== undefined,
      isLater: dynamic !== undefined,
    };
  });
}

function packageOf(name: string): string {
  if (name.startsWith("node:") && name !== "node:sqlite") return "node";
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

const allImports = new Map(files.map((file) => [file, importsOf(file)]));
/** What is loaded when a file runs. */
const imports = new Map(
  files.map((file) => [file, allImports.get(file)!.flatMap(({ name, isType }) => (isType ? [] : [name]))]),
);

/** What is loaded at once with a file. */
const importsAtOnce = new Map(
  files.map((file) => [
    file,
    allImports.get(file)!.flatMap(({ name, isType, isLater }) => (isType || isLater ? [] : [name])),
  ]),
);

/** Everything that a file loads. */
function closure(file: string, of = imports, loaded = new Set<string>()): Set<string> {
  for (const needed of of.get(file) ?? []) {
    if (loaded.has(needed)) continue;
    loaded.add(needed);
    closure(needed, of, loaded);
  }
  return loaded;
}

const noun = `src/(?:${NOUNS.join("|")})`;
/** What everyone may stand on. */
const FLOOR =
  "src/(?:attributes|csv|ids|examples|problems|schemas|text|json|json-sql|members|resource|check-body|idempotency|failure-limit|findings|turns|log|config)\\.ts";
const LISTS = "db/(?:connection|counts|late-index|list|list-log|list-ranges|list-slices|list-where)\\.ts";
/** What all types of questions have in common, and the list of them: nobody else knows a single one. */
const TYPES = "src/question-types/[a-z-]+\\.ts";
/** What content is, and what its conditions and answers mean: knows no store and no HTTP. */
const MODEL =
  "src/screener-content/(?:content|conditions|holds|answers|judge|trace|sentences|difference|warnings|never|redirects)\\.ts";
/** What has deliveries removed, or forgets what receivers have answered. */
const DELIVERIES = "src/webhooks/delivery-queries\\.ts";
/** What writes events, and what they are called. */
const EVENTS = "src/events/(?:record|types|outbox)\\.ts";
const WORKSPACES = "src/workspaces/(?:actors|credentials|moving|queries)\\.ts";
const JOBS = "src/jobs/(?!(?:[a-z]+-)?routes\\.)[a-z-]+\\.ts";

/**
 * Who may import what, types included. The first rule that fits a file is its rule; `own` is any file of its folder but
 * the routes.
 */
const law: { files: string; may: string[]; own?: true }[] = [
  { files: "src/csv\\.ts", may: ["csv-stringify", FLOOR] },
  { files: "db/open\\.ts", may: ["node", "better-sqlite3", "db/.*"] },
  { files: "db/connection\\.ts", may: ["better-sqlite3", "lru-cache", "db/.*"] },
  { files: "db/.*", may: ["node", "db/.*"] },

  {
    files: FLOOR,
    may: ["node", "valibot", "pino", "csv-stringify", "rate-limiter-flexible", "fastest-levenshtein", FLOOR, LISTS],
  },

  { files: "src/workspaces/create\\.ts", may: ["db/.*", FLOOR, "src/events/record\\.ts", "src/workspaces/.*"] },
  { files: "src/workspaces/.*", may: ["node", "lru-cache", "db/.*", FLOOR, "src/workspaces/.*"] },

  {
    files: "src/events/(?:record|types|outbox)\\.ts",
    may: ["db/(?:connection|counts)\\.ts", FLOOR, "src/workspaces/(?:actors|credentials)\\.ts", EVENTS],
  },
  {
    files: "src/events/(?:resource|queries|feed)\\.ts",
    own: true,
    may: ["valibot", LISTS, "db/workspaces\\.ts", FLOOR],
  },
  { files: "src/events/routes\\.ts", own: true, may: ["valibot", FLOOR, "src/http/.*"] },

  {
    files: "src/webhooks/(?:delivery-)?routes\\.ts",
    own: true,
    may: ["db/when-free\\.ts", FLOOR, EVENTS, WORKSPACES, "src/http/.*", "src/writes/.*"],
  },
  {
    files: "src/webhooks/open\\.ts",
    own: true,
    may: ["db/(?:control|workspaces)\\.ts", FLOOR, "src/jobs/carriers/webhooks\\.ts"],
  },
  {
    files: "src/webhooks/message\\.ts",
    may: ["valibot", FLOOR, "src/events/resource\\.ts", "src/http/openapi-messages\\.ts"],
  },
  {
    // They know no request and no queue.
    files: "src/webhooks/.*",
    own: true,
    may: [
      "node",
      "valibot",
      "ipaddr.js",
      "db/.*",
      FLOOR,
      WORKSPACES,
      "src/events/(?:record|types|resource|queries)\\.ts",
    ],
  },

  {
    // What says what a cell has, and what one cell asks of another.
    files: "src/cells/arrival-routes\\.ts",
    own: true,
    may: [
      "node",
      "koa",
      "valibot",
      "db/migrate\\.ts",
      FLOOR,
      "src/context\\.ts",
      "src/http/(?:body|errors)\\.ts",
      "src/workspaces/queries\\.ts",
    ],
  },
  {
    files: "src/cells/(?:tickets|register)\\.ts",
    own: true,
    may: ["node", "ioredis", FLOOR, "src/jobs/pool\\.ts", "src/jobs/carriers/bullmq\\.ts"],
  },
  {
    files: "src/cells/.*",
    own: true,
    may: [
      "node",
      "valibot",
      "db/.*",
      FLOOR,
      "src/workspaces/(?:actors|installation|lives|queries|secrets)\\.ts",
      "src/events/(?:record|outbox)\\.ts",
      "src/jobs/(?:pool|result|side-task|spool|chosen-files)\\.ts",
    ],
  },

  { files: "src/jobs/carriers/.*", own: true, may: ["node", "bullmq", "ioredis", FLOOR, JOBS] },
  {
    files: "src/jobs/(?:(?:plan|retry)-)?routes\\.ts",
    may: [
      "valibot",
      "db/(?:open|when-free|write)\\.ts",
      FLOOR,
      "src/workspaces/moving\\.ts",
      "src/http/.*",
      "src/writes/.*",
      JOBS,
    ],
  },
  {
    files: "src/jobs/.*",
    may: [
      "node",
      "valibot",
      "piscina",
      "db/.*",
      FLOOR,
      "src/workspaces/(?:actors|queries|credentials|lives|moving|store-findings)\\.ts",
      "src/events/(?:record|types|outbox|queries)\\.ts",
      "src/webhooks/expiry\\.ts",
      DELIVERIES,
      JOBS,
    ],
  },

  // It runs elsewhere, also in a browser: it knows nothing of the service.
  { files: "src/client/.*", own: true, may: [] },

  { files: "src/metrics/(?:requests|metrics)\\.ts", own: true, may: ["prom-client"] },
  { files: "src/metrics/jobs\\.ts", may: ["prom-client", "src/jobs/(?:pool|log-lines)\\.ts"] },
  {
    // What is asked for when somebody looks: of what the process owns.
    files: "src/metrics/.*",
    own: true,
    may: [
      "node",
      "prom-client",
      "db/control\\.ts",
      FLOOR,
      "src/(?:context|descriptors)\\.ts",
      "src/jobs/(?:expiry|figures)\\.ts",
    ],
  },

  {
    // What a process owns. It knows no request.
    files: "src/context\\.ts",
    may: [
      "node",
      "db/.*",
      FLOOR,
      "src/(?:checks|descriptors)\\.ts",
      "src/cells/upkeep\\.ts",
      "src/workspaces/.*",
      "src/events/(?:feed|outbox)\\.ts",
      "src/webhooks/(?:open|dispatch)\\.ts",
      JOBS,
      "src/jobs/carriers/.*",
      "src/screener-content/published\\.ts",
      "src/participants/retention\\.ts",
      "src/metrics/metrics\\.ts",
    ],
  },

  {
    files: "src/http/.*",
    may: [
      "node",
      "koa",
      "koa-compress",
      "valibot",
      "@valibot/to-json-schema",
      "helmet",
      "@koa/router",
      FLOOR,
      LISTS,
      "db/(?:write|workspaces|migrate|store|refused|root)\\.ts",
      "src/context\\.ts",
      "src/workspaces/(?:credentials|moving)\\.ts",
      EVENTS,
      "src/metrics/requests\\.ts",
      "src/http/.*",
    ],
  },
  {
    files: "src/writes/.*",
    may: [
      "node",
      "db/(?:connection|when-free|write)\\.ts",
      FLOOR,
      EVENTS,
      "src/workspaces/moving\\.ts",
      "src/http/.*",
      JOBS,
      "src/writes/.*",
    ],
  },

  {
    // Only a thread decodes images.
    files: "src/appearance/logo\\.ts",
    own: true,
    may: ["node", "@jsquash/png", "@jsquash/jpeg", "@jsquash/webp", "src/jobs/side-task\\.ts"],
  },
  {
    files: "src/appearance/routes\\.ts",
    own: true,
    may: [FLOOR, EVENTS, "src/http/.*", "src/writes/.*", "src/screener-sessions/resource\\.ts"],
  },
  { files: "src/appearance/.*", own: true, may: ["node", "valibot", "db/connection\\.ts", FLOOR] },

  { files: "src/question-types/registry\\.ts", may: ["valibot", "src/question-types/.*"] },
  {
    // No type knows another one, nor the registry.
    files: "src/question-types/.*",
    may: [
      "preact",
      "valibot",
      FLOOR,
      "src/question-types/(?!registry\\.)[a-z-]+\\.ts",
      "src/question-types/(?:select-)?field\\.tsx",
    ],
  },

  { files: MODEL, may: [FLOOR, TYPES, MODEL] },
  {
    files: `${noun}/resource\\.ts`,
    may: ["valibot", FLOOR, LISTS, TYPES, MODEL, `${noun}/resource\\.ts`],
  },
  { files: `${noun}/queries\\.ts`, may: ["db/.*", FLOOR, TYPES, MODEL, `${noun}/(?:resource|queries)\\.ts`] },
  {
    files: "src/screener-content/published\\.ts",
    may: ["lru-cache", LISTS, MODEL, "src/screener-content/queries\\.ts"],
  },
  {
    files: `${noun}/routes\\.ts`,
    own: true,
    may: [
      "node",
      "valibot",
      FLOOR,
      TYPES,
      WORKSPACES,
      EVENTS,
      "src/http/.*",
      "src/writes/.*",
      `${noun}/(?:queries|resource)\\.ts`,
      "src/screener-sessions/(?:answering|lifecycle)\\.ts",
    ],
  },
  { files: "src/screener-participants/import/csv-rows\\.ts", own: true, may: ["csv-parse", FLOOR] },
  {
    // Operations, and the jobs that run them. They know neither HTTP nor Redis.
    files: `${noun}/.*`,
    own: true,
    may: [
      "node",
      "valibot",
      "db/.*",
      FLOOR,
      TYPES,
      WORKSPACES,
      MODEL,
      EVENTS,
      DELIVERIES,
      "src/jobs/(?:body|define-job|events|job-run|scratch|spool|side-task|plans|compare|rows|effects|forget|person)\\.ts",
      `${noun}/(?:queries|resource)\\.ts`,
      "src/screener-content/published\\.ts",
      "src/screener-sessions/(?:answering|lifecycle)\\.ts",
    ],
  },

  { files: "src/results/routes\\.ts", own: true, may: ["valibot", FLOOR, "src/http/.*"] },
  { files: "src/exports/routes\\.ts", own: true, may: ["node", "valibot", FLOOR, "src/http/.*"] },
  {
    // The answers to a screener as a table.
    files: "src/exports/.*",
    own: true,
    may: [
      "node",
      "valibot",
      "write-excel-file",
      LISTS,
      FLOOR,
      TYPES,
      MODEL,
      "src/jobs/side-task\\.ts",
      `${noun}/(?:queries|resource)\\.ts`,
    ],
  },
  {
    // What sessions and answers come to, of several nouns.
    files: "src/results/.*",
    own: true,
    may: [
      "valibot",
      LISTS,
      FLOOR,
      TYPES,
      MODEL,
      "src/jobs/side-task\\.ts",
      `${noun}/(?:queries|resource)\\.ts`,
      "src/screener-content/published\\.ts",
    ],
  },

  {
    // Pages are made from what they are given.
    files: "src/participant-page/view/.*",
    own: true,
    may: ["node", "preact", "preact-render-to-string", FLOOR, TYPES, MODEL],
  },
  {
    files: "src/participant-page/.*",
    own: true,
    may: [
      "node",
      "koa",
      "@koa/router",
      "db/.*",
      FLOOR,
      TYPES,
      MODEL,
      "src/context\\.ts",
      EVENTS,
      "src/http/.*",
      "src/workspaces/(?:moving|queries|remembered)\\.ts",
      "src/appearance/(?:accent|queries|resource)\\.ts",
      `${noun}/(?:queries|resource|submit|answering|lifecycle|published)\\.ts`,
    ],
  },

  {
    // Who may do what: the command line and the console change it.
    files: "src/access/.*",
    own: true,
    may: ["db/connection\\.ts", FLOOR, EVENTS, "src/workspaces/.*"],
  },
  {
    // It runs in a browser: it knows nothing of the service but what content is.
    files: "src/console/islands/.*",
    may: ["preact", "@preact/signals", TYPES, MODEL, "src/console/islands/.*"],
  },
  { files: "src/console/islands\\.ts", may: ["node", "esbuild", "db/root\\.ts", "src/http/page-assets\\.ts"] },
  {
    files: "src/console/view/.*",
    own: true,
    may: [
      "preact",
      "preact-render-to-string",
      FLOOR,
      "src/workspaces/(?:console-(?:sessions|users)|credentials|lives)\\.ts",
      "src/access/keys\\.ts",
      "src/events/types\\.ts",
      TYPES,
      "src/results/results\\.ts",
      "src/screener-sessions/explanation\\.ts",
      "src/system/(?:advice|installation|state|usage)\\.ts",
      "src/screener-content/difference\\.ts",
      "src/participant-page/(?:view/.*|ending\\.ts)",
      "src/appearance/resource\\.ts",
    ],
  },
  { files: "src/console/provider\\.ts", may: ["node", "openid-client", FLOOR, "src/workspaces/console-users\\.ts"] },
  {
    // It has no logic of its own: what a page shows comes from calls of endpoints, which it is given.
    files: "src/console/.*",
    own: true,
    may: [
      "node",
      "koa",
      "@fastify/busboy",
      "db/(?:connection|root|when-free)\\.ts",
      FLOOR,
      "src/context\\.ts",
      EVENTS,
      "src/http/.*",
      "src/workspaces/(?:console-(?:sessions|users)|credentials|lives|moving|queries)\\.ts",
      "src/access/.*",
      "src/screeners/queries\\.ts",
      "src/screener-content/queries\\.ts",
      // The preview and the test drive are participants' pages.
      TYPES,
      MODEL,
      "src/appearance/(?:logo|resource)\\.ts",
      "src/participant-page/(?:assets|ending|input|look|rehearsal|view/.*)\\.tsx?",
      "src/screener-sessions/sentence\\.ts",
      "src/screener-participants/resource\\.ts",
      "src/screener-participants/import/(?:csv-headings|preview|raw-rows)\\.ts",
      "src/jobs/(?:body|chosen-files)\\.ts",
      "src/system/(?:advice|installation|state|usage)\\.ts",
    ],
  },

  {
    // What worker threads do: on one screen.
    files: "src/registry\\.ts",
    may: [
      "src/appearance/logo\\.ts",
      `${noun}/(?:undo/)?job\\.ts`,
      "src/cells/(?:arrivals|end-move|measure)\\.ts",
      "src/jobs/(?:housekeeping|long-read|store-checks)\\.ts",
      "src/screener-content/prepare\\.ts",
      "src/participants/(?:export|retention)\\.ts",
      "src/results/measure\\.ts",
      "src/exports/(?:codebook|plan|workbook)\\.ts",
      "src/screener-sessions/explain\\.ts",
      "src/system/installation\\.ts",
    ],
  },
  { files: "src/system/routes\\.ts", own: true, may: ["src/http/.*"] },
  {
    // What the installation and its workspaces take, and what is wrong with them.
    files: "src/system/.*",
    own: true,
    may: [
      "node",
      "valibot",
      "db/.*",
      FLOOR,
      "src/context\\.ts",
      "src/events/record\\.ts",
      "src/jobs/(?:figures|side-task)\\.ts",
      "src/workspaces/(?:installation|queries)\\.ts",
      `${noun}/resource\\.ts`,
    ],
  },
  {
    files: "src/backup/.*",
    own: true,
    may: [
      "node",
      "valibot",
      "db/.*",
      FLOOR,
      "src/workspaces/(?:installation|queries)\\.ts",
      "src/events/(?:record|outbox)\\.ts",
      "src/jobs/(?:result|spool)\\.ts",
      `${noun}/(?:resource|job)\\.ts`,
      "src/webhooks/resource\\.ts",
    ],
  },
  {
    files: "src/doctor/.*",
    own: true,
    may: [
      "node",
      "db/.*",
      FLOOR,
      "src/ask\\.ts",
      "src/workspaces/(?:queries|store-findings)\\.ts",
      "src/jobs/carriers/diagnose\\.ts",
    ],
  },
  {
    files: "workers/main\\.ts",
    may: ["src/(?:config|context|process)\\.ts", "src/jobs/carriers/bullmq\\.ts", "src/metrics/open\\.ts"],
  },
  {
    files: "workers/thread\\.ts",
    may: ["node", "piscina", "db/.*", "src/jobs/(?:run|pool|side-task|housekeeping|stores)\\.ts", "src/registry\\.ts"],
  },
];

test("no file imports what the law does not let it", () => {
  const broken: string[] = [];
  for (const file of files) {
    const rule = law.find((one) => new RegExp(`^${one.files}$`).test(file));
    // What lies at the root of src puts everything together.
    if (!rule) {
      assert.match(file, /^src\/(?:(?:demo|cli)\/)?[a-z-]+\.ts$/, `${file} has no rule: is it in its place?`);
      continue;
    }
    const own = rule.own ? [`${/^src\/[^/]+/.exec(file)}/(?!routes\\.ts).*`] : [];
    const allowed = new RegExp(`^(?:${[...rule.may, ...own].join("|")})$`);
    for (const { name } of allImports.get(file)!) if (!allowed.test(name)) broken.push(`${file} imports ${name}`);
  }
  assert.deepEqual(broken, []);
});

test("no import leads back to where it came from, types included", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, way: string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    else if (!done.has(file)) {
      for (const { name } of allImports.get(file) ?? []) follow(name, [...way, file]);
      done.add(file);
    }
  };
  for (const file of files) follow(file, []);
  assert.deepEqual(circles, []);
});

test("every import leads to a file, and the imports are really read", () => {
  for (const [file, needed] of allImports)
    for (const { name } of needed.filter((one) => /^(?:src|workers|db)\//.test(one.name)))
      assert.ok(imports.has(name), `${file} imports ${name}`);
  assert.ok(imports.get("src/app.ts")!.includes("src/screeners/routes.ts"));
  assert.ok(imports.get("src/app.ts")!.includes("koa"));
  assert.ok(!imports.get("src/app.ts")!.includes("src/context.ts"), "it is imported as a type alone");
  assert.ok(allImports.get("src/app.ts")!.some(({ name, isType }) => name === "src/context.ts" && isType));
  assert.ok(imports.get("src/screener-participants/queries.ts")!.includes("db/counts.ts"), "over several lines");
  assert.ok([...closure("src/web.ts")].includes("better-sqlite3"));
});

test("a worker never loads the API, not even by a detour; and what runs a job knows no queue", () => {
  const api = (loaded: Set<string>) =>
    [...loaded].filter((one) => /^src\/http\/|\/routes\.ts$|^src\/(?:app|server|web)\.ts$|^@?koa/.test(one));
  for (const file of files.filter((one) => one.startsWith("workers/"))) assert.deepEqual(api(closure(file)), [], file);
  const jobs = files.filter((file) => /\/job\.ts$/.test(file));
  assert.ok(jobs.length > 1);
  for (const file of ["workers/thread.ts", ...jobs]) {
    const loaded = closure(file);
    assert.deepEqual(
      [...loaded].filter((one) => /^(?:bullmq|ioredis)$|carriers/.test(one)),
      [],
      file,
    );
    assert.deepEqual(api(loaded), [], file);
  }
});

test("a single node starts without what only Redis, metrics, single sign-on and the supervisor of several need", () => {
  const loaded = closure("src/web-process.ts", importsAtOnce);
  assert.ok(loaded.has("koa") && loaded.has("src/context.ts"));
  for (const heavy of ["bullmq", "ioredis", "prom-client", "@bull-board/api", "openid-client"])
    assert.ok(!loaded.has(heavy), heavy);
  assert.deepEqual([...closure("src/web.ts", importsAtOnce)].sort(), ["node", "src/config.ts", "valibot"]);
});

test("only db opens a store, only jobs and workers know Redis, only config reads the environment, and only the demo calls the API", () => {
  const importers = (name: RegExp) => files.filter((file) => imports.get(file)!.some((needed) => name.test(needed)));
  assert.deepEqual(importers(/^better-sqlite3$|^node:sqlite$/), ["db/open.ts"]);
  assert.deepEqual(importers(/^(?:bullmq|ioredis)$/), [
    "src/jobs/carriers/bullmq.ts",
    "src/jobs/carriers/diagnose.ts",
    "src/jobs/carriers/webhooks.ts",
  ]);
  assert.deepEqual(
    importers(/^src\/client\//).filter((file) => !file.startsWith("src/client/")),
    ["src/demo/main.ts"],
  );
  const readers = files.filter((file) => /process\s*\.\s*env|\benv\b.*from "node:process"/.test(code(file)));
  assert.deepEqual(readers, ["src/config.ts"]);
});

test("no noun's folder has a file that the others don't know", () => {
  const known = /^(?:routes|resource|queries|job)\.ts$/;
  // Operations are named by what they do.
  const operations = {
    "screener-participants": [
      "effects.ts",
      "import/absent.ts",
      "import/ahead.ts",
      "import/answer.ts",
      "import/apply.ts",
      "import/attributes.ts",
      "import/bytes.ts",
      "import/check.ts",
      "import/columns.ts",
      "import/conflicts.ts",
      "import/csv-headings.ts",
      "import/csv-rows.ts",
      "import/forget.ts",
      "import/indexes.ts",
      "import/limit.ts",
      "import/plan-counts.ts",
      "import/plan.ts",
      "import/preview.ts",
      "import/raw-rows.ts",
      "import/read-csv.ts",
      "import/read-json.ts",
      "import/read-ndjson.ts",
      "import/read.ts",
      "import/removals.ts",
      "import/repeats.ts",
      "import/row-errors.ts",
      "import/rows.ts",
      "import/slice.ts",
      "import/stage.ts",
      "import/tables.ts",
      "import/text-rows.ts",
      "remove.ts",
      "undo/apply.ts",
      "undo/forget.ts",
      "undo/job.ts",
      "undo/plan.ts",
      "undo/rows.ts",
    ],
    screeners: ["delete.ts"],
    "screener-publications": ["publish.ts"],
    participants: ["erase.ts", "export.ts", "retention.ts"],
    "screener-sessions": [
      "answering.ts",
      "explain.ts",
      "explanation.ts",
      "forget.ts",
      "lifecycle.ts",
      "open-all.ts",
      "override.ts",
      "sentence.ts",
    ],
    "screener-responses": ["submit.ts"],
    "screener-content": [
      "answers.ts",
      "conditions.ts",
      "content.ts",
      "difference.ts",
      "draft.ts",
      "holds.ts",
      "judge.ts",
      "never.ts",
      "prepare.ts",
      "published.ts",
      "redirects.ts",
      "sentences.ts",
      "trace.ts",
      "warnings.ts",
    ],
  } as Record<string, string[]>;
  for (const one of NOUNS) {
    const own = files.filter((file) => file.startsWith(`src/${one}/`)).map((file) => file.slice(`src/${one}/`.length));
    assert.deepEqual(
      own.filter((file) => !known.test(file)),
      operations[one] ?? [],
      one,
    );
  }
  assert.deepEqual(
    files.filter((file) => /(?:^|\/)(?:utils?|helpers?|lib|common|misc)(?:\/|\.ts$)/.test(file)),
    [],
  );
});

test("every type of question is in the registry", () => {
  const types = files.filter((file) => / = defineQuestionType\(/.test(code(file)));
  assert.ok(types.length > 3);
  const listed = imports.get("src/question-types/registry.ts")!;
  assert.deepEqual(
    types.filter((file) => !listed.includes(file)),
    [],
  );
});

/** Files longer than 250 lines, and why they are still one. */
const LONG: Record<string, string> = { "src/client/types.ts": "It is made from the API description." };

test("a file fits a few screens, or has a reason not to; and says first what it is for", () => {
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n").length - 1;
    if (lines > 250) assert.ok(LONG[file], `${file} has ${lines} lines: is it two?`);
    else assert.ok(!LONG[file], `${file} has only ${lines} lines, and needs no exception any more`);
    assert.match(text, /^\/\/ \S/, `${file} does not say what it is for`);
  }
});

/** A file without its comments. */
function code(file: string): string {
  return readFileSync(file, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}
