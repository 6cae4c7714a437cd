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

/** What a file needs when it runs: files of ours by their path, packages by their name. `import type` does not count. */
function importsOf(file: string): string[] {
  const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const statements = code.matchAll(
    /^(?:import|export)\b(?!\s+type\b)(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
  );
  return [...statements].map(([, plain, dynamic]) => {
    const name = plain ?? dynamic ?? "";
    return name.startsWith(".") ? join(dirname(file), name) : packageOf(name);
  });
}

function packageOf(name: string): string {
  if (name.startsWith("node:") && name !== "node:sqlite") return "node";
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Everything that is loaded with a file. */
function closure(file: string, loaded = new Set<string>()): Set<string> {
  for (const needed of imports.get(file) ?? []) {
    if (loaded.has(needed)) continue;
    loaded.add(needed);
    closure(needed, loaded);
  }
  return loaded;
}

const noun = `src/(?:${NOUNS.join("|")})`;
const FLOOR = "src/(?:ids|problems|schemas|text|json|sql-json|check-body)\\.ts";
/** What all types of questions have in common, and the list of them: nobody else knows a single one. */
const TYPES = "src/question-types/[a-z-]+\\.ts";
/** What content is, and what its conditions and answers mean: knows no store and no HTTP. */
const MODEL = "src/screener-content/(?:content|conditions|answers)\\.ts";
const WORKSPACES = "src/workspaces/(?:actors|credentials)\\.ts";

/** Who may import what. The first rule that fits a file is its rule; `own` is any file of its noun. */
const law: { files: string; may: string[]; own?: true }[] = [
  { files: "db/open\\.ts", may: ["node", "better-sqlite3", "db/.*"] },
  { files: "db/.*", may: ["node", "db/.*"] },

  {
    files: "workers/main\\.ts",
    may: ["src/(?:config|context|node-version|process)\\.ts", "src/jobs/carriers/bullmq\\.ts"],
  },
  { files: "workers/registry\\.ts", may: [`${noun}/job\\.ts`] },
  {
    files: "workers/thread\\.ts",
    may: [
      "node",
      "piscina",
      "db/.*",
      "src/jobs/(?:run|housekeeping|pool)\\.ts",
      "src/screener-content/prepare\\.ts",
      "workers/registry\\.ts",
    ],
  },

  {
    files: "src/http/once\\.ts",
    // One Idempotency-Key stands for a job or for a small write, and never for both.
    may: ["src/http/.*", FLOOR, "src/jobs/(?:accept|queries)\\.ts"],
  },
  {
    files: "src/http/health\\.ts",
    // Whether the store can be written shows when it is written.
    may: ["src/http/.*", FLOOR, "db/.*", "valibot", "src/workspaces/installation\\.ts"],
  },
  { files: "src/http/errors\\.ts", may: ["src/http/.*", FLOOR, "db/(?:write|workspaces|migrate)\\.ts"] },
  {
    files: "src/http/.*",
    may: [
      "node",
      "valibot",
      "@valibot/to-json-schema",
      "koa-helmet",
      "rate-limiter-flexible",
      "csv-stringify",
      "@koa/router",
      "src/http/.*",
      FLOOR,
    ],
  },

  { files: "src/jobs/carriers/bullmq\\.ts", may: ["node", "bullmq", "ioredis"] },
  { files: "src/jobs/carriers/threads\\.ts", may: [] },
  { files: "src/jobs/pool\\.ts", may: ["node", "piscina", "db/write\\.ts", FLOOR, "src/jobs/queries\\.ts"] },
  {
    files: "src/jobs/(?:routes|reply|submit)\\.ts",
    may: ["valibot", "db/write\\.ts", FLOOR, "src/http/.*", "src/jobs/[a-z-]+\\.ts"],
  },
  {
    files: "src/jobs/.*",
    may: ["node", "valibot", "db/.*", FLOOR, "src/workspaces/queries\\.ts", "src/jobs/[a-z-]+\\.ts"],
  },

  { files: "src/workspaces/.*", may: ["node", "db/.*", FLOOR, "src/workspaces/.*"] },

  {
    files: `${noun}/routes\\.ts`,
    own: true,
    may: [
      "node",
      "valibot",
      FLOOR,
      TYPES,
      WORKSPACES,
      "src/http/.*",
      "src/jobs/(?:reply|submit|view|spool)\\.ts",
      `${noun}/queries\\.ts`,
    ],
  },
  { files: "src/question-types/registry\\.ts", may: ["src/question-types/.*"] },
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
  { files: `${noun}/queries\\.ts`, may: ["db/.*", FLOOR, TYPES, MODEL, `${noun}/view\\.ts`] },
  { files: `${noun}/(?:view|input)\\.ts`, may: ["valibot", FLOOR, TYPES, MODEL, `${noun}/input\\.ts`] },
  { files: "src/screener-content/published\\.ts", may: ["lru-cache", "src/screener-content/queries\\.ts"] },
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
      "koa-helmet",
      "valibot",
      "rate-limiter-flexible",
      "db/.*",
      FLOOR,
      TYPES,
      MODEL,
      "src/http/.*",
      "src/workspaces/queries\\.ts",
      `${noun}/(?:queries|view|submit|lifecycle)\\.ts`,
    ],
  },
  {
    // Verbs, and the jobs that run them.
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
      "src/jobs/(?:define-job|apply-with-scratch|result-file|spool)\\.ts",
      `${noun}/(?:queries|input)\\.ts`,
    ],
  },
];

test("no file imports what the law does not let it", () => {
  const broken: string[] = [];
  for (const file of files) {
    const rule = law.find((one) => new RegExp(`^${one.files}$`).test(file));
    // What lies at the root of src puts everything together.
    if (!rule) {
      assert.match(file, /^src\/(?:demo\/)?[a-z-]+\.ts$/, `${file} has no rule: is it in its place?`);
      continue;
    }
    const own = rule.own ? [`${/^src\/[^/]+/.exec(file)}/(?!routes\\.ts).*`] : [];
    const allowed = new RegExp(`^(?:${[...rule.may, ...own].join("|")})$`);
    for (const needed of imports.get(file) ?? []) if (!allowed.test(needed)) broken.push(`${file} imports ${needed}`);
  }
  assert.deepEqual(broken, []);
});

test("every import leads to a file, and the imports are really read", () => {
  for (const [file, needed] of imports)
    for (const one of needed.filter((name) => /^(?:src|workers|db)\//.test(name)))
      assert.ok(imports.has(one), `${file} imports ${one}`);
  assert.ok(imports.get("src/app.ts")!.includes("src/screeners/routes.ts"));
  assert.ok(imports.get("src/app.ts")!.includes("koa"));
  assert.ok(!imports.get("src/app.ts")!.includes("src/context.ts"), "it is imported as a type alone");
  assert.ok(imports.get("src/screener-participants/queries.ts")!.includes("db/list.ts"), "over several lines");
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

test("only db opens a store, only jobs and workers know Redis, and only config reads the environment", () => {
  const importers = (name: RegExp) => files.filter((file) => imports.get(file)!.some((needed) => name.test(needed)));
  assert.deepEqual(importers(/^better-sqlite3$|^node:sqlite$/), ["db/open.ts"]);
  assert.deepEqual(importers(/^(?:bullmq|ioredis)$/), ["src/jobs/carriers/bullmq.ts"]);
  const readers = files.filter((file) => /process\s*\.\s*env|\benv\b.*from "node:process"/.test(code(file)));
  assert.deepEqual(readers, ["src/config.ts"]);
});

test("no noun's folder has a room that the others don't know", () => {
  const known = /^(?:routes|input|queries|view|job)\.ts$/;
  // Verbs are named by what they do.
  const verbs = {
    "screener-participants": [
      "import/apply.ts",
      "import/payload.ts",
      "import/rows.ts",
      "import/stage.ts",
      "import/upload.ts",
      "remove.ts",
    ],
    "screener-publications": ["publish.ts"],
    "screener-sessions": ["lifecycle.ts", "open-all.ts", "submit.ts"],
    "screener-responses": ["export.ts"],
    "screener-content": ["answers.ts", "conditions.ts", "content.ts", "draft.ts", "prepare.ts", "published.ts"],
  } as Record<string, string[]>;
  for (const one of NOUNS) {
    const own = files.filter((file) => file.startsWith(`src/${one}/`)).map((file) => file.slice(`src/${one}/`.length));
    assert.deepEqual(
      own.filter((file) => !known.test(file)),
      verbs[one] ?? [],
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
const LONG: Record<string, string> = {
  "src/cli.ts": "one command line: its commands, one after the other, read like its help",
  "db/list.ts": "one idea, the counts by block, with what writes and what reads them",
};

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
