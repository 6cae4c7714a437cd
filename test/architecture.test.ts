// The import law: which file may know of which. And what else holds of the source as a whole.

import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const files = globSync("{src,workers,db}/**/*.{ts,tsx}")
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

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

/** The folders, from the floor up. A file imports from its own folder and from those above in this list, types included. */
const ORDER = [
  "src/client",
  "db/sqlite",
  "db/list",
  "db",
  "src/base/settings",
  "src/base",
  "src/mail/relay",
  "src/chance",
  "src/languages",
  "src/erasure",
  "src/events",
  "src/workspaces",
  "src/access",
  "src/engine/files",
  "src/engine/ledger",
  "src/engine/run",
  "src/engine/threads",
  "src/engine/carriers",
  "src/http/wire",
  "src/http",
  "src/http/openapi",
  "src/documentation",
  "src/writes",
  "src/images",
  "src/attribute-types",
  "src/webhooks",
  "src/nouns/participants",
  "src/signals",
  "src/nouns/screeners",
  "src/nouns/signing-keys",
  "src/words",
  "src/nouns/question-types/values",
  "src/nouns/question-types/charts",
  "src/nouns/question-types/markup",
  "src/nouns/question-types",
  "src/arms",
  "src/nouns/quotas",
  "src/nouns/content/conditions",
  "src/nouns/content/incomplete",
  "src/nouns/content",
  "src/nouns/content/grids",
  "src/nouns/content/advice",
  "src/insertions",
  "src/nouns/translations",
  "src/nouns/publications",
  "src/nouns/sessions",
  "src/nouns/links",
  "src/nouns/screener-participants",
  "src/nouns/responses",
  "src/nouns/participant-requests",
  "src/nouns/participant-notes",
  "src/nouns/mail-suppressions",
  "src/contacts",
  "src/contacts/page",
  "src/signals/found",
  "src/screening",
  "src/reviews",
  "src/session-moves",
  "src/imports/read",
  "src/imports",
  "src/imports/undo",
  "src/removal-jobs",
  "src/appearance",
  "src/page-words",
  "src/mail",
  "src/mail/page",
  "src/exports",
  "src/answers",
  "src/mailings",
  "src/returned-mail",
  "src/results",
  "src/forecast",
  "src/feasibility",
  "src/quota-jobs",
  "src/review-jobs",
  "src/sandbox",
  "src/backup/bucket",
  "src/backup",
  "src/cells",
  "src/upkeep",
  "src/doctor",
  "src/api/system",
  "src/metrics",
  "src/api",
  "src/participant-page/assets",
  "src/participant-page",
  "src/console/shell",
  "src/console/studies",
  "src/console/study/templates",
  "src/console/study",
  "src/console/islands/drafts",
  "src/console/islands/state",
  "src/console/islands/look",
  "src/console/islands",
  "src/console/build",
  "src/console/content",
  "src/console/quotas",
  "src/console/feasibility",
  "src/console/languages",
  "src/console/publish",
  "src/console/share",
  "src/console/try",
  "src/console/filters",
  "src/console/results",
  "src/console/downloads",
  "src/console/imports",
  "src/console/jobs",
  "src/console/people",
  "src/console/requests",
  "src/console/answers",
  "src/console/messages",
  "src/console/review",
  "src/console/activity",
  "src/console/keys",
  "src/console/users",
  "src/console/appearance",
  "src/console/words",
  "src/console/attributes",
  "src/console/webhooks",
  "src/console/mail",
  "src/console/system",
  "src/console/sign-in",
  "src/console/sessions",
  "src/console",
  "src/main",
  "workers",
  "src/cli/running",
  "src/cli",
  "src/demo",
  "src",
];

/** The modules of the types of questions. */
const QUESTION_TYPES = files.filter((file) => / = defineQuestionType\(/.test(code(file)));

/** What the order would let files import, and they do without all the same. */
const BANS: { files: RegExp; not: RegExp; why: string }[] = [
  { files: /^src\/client\//, not: /^(?!src\/client\/)/, why: "It runs elsewhere, so it knows nothing of the service." },
  {
    files: /^(?!src\/(?:client|console|demo)\/)/,
    not: /^src\/client\//,
    why: "Its types say what callers see: the console and the demo are such callers.",
  },
  {
    files: /^src\/console\/islands\//,
    // Colours are computed, and numbers written, without anything of a server.
    not: /^(?!src\/console\/islands\/|src\/nouns\/(?:content|question-types)\/|src\/(?:appearance\/accent|languages\/counted)\.ts$|@?preact)/,
    why: "It runs in browsers.",
  },
  {
    files: /^src\/nouns\/question-types\/(?!registry)/,
    not: new RegExp(`^(?:src/nouns/question-types/registry.ts|${QUESTION_TYPES.join("|")})$`),
    why: "No type of question knows another one, nor the list of them.",
  },
  {
    files: /^src\/nouns\/[a-z-]+\/(?:resource|queries)\.ts$/,
    not: /^(?:src\/(?:engine|http|writes)\/|@?koa)/,
    why: "Statements and declarations are used by jobs, tests and the command line alike.",
  },
  {
    files: /^(?!src\/(?:http|cells|api|participant-page|console|main)\/|workers\/)/,
    not: /^@?koa/,
    why: "Handlers return: no one else touches a response.",
  },
  {
    files: /^src\/console\//,
    not: /^src\/(?!console\/|http\/).*routes\.ts$/,
    why: "It is given the endpoints that it calls.",
  },
  {
    files: /^src\/mail\/(?:kinds|mailer|sender)\.ts$/,
    not: /^src\/mail\/(?:letter\.tsx|relay\/compose\.ts)$/,
    why: "They run beside requests, and to write messages out keeps a processor busy: threads do it.",
  },
];

/** So many files may stand side by side. */
const MAX_FILES = 25;
/** Entry points, and what loads them. */
const MAX_ENTRY_POINTS = 6;

test("a file imports only from its own folder and from those below", () => {
  const level = (file: string) => {
    const index = ORDER.indexOf(dirname(file));
    assert.ok(index >= 0, `${dirname(file)} is not in the order`);
    return index;
  };
  const broken: string[] = [];
  for (const file of files)
    for (const { name } of allImports.get(file)!)
      if (imports.has(name) && dirname(name) !== dirname(file) && level(name) >= level(file))
        broken.push(`${file} imports ${name}`);
  assert.deepEqual(broken, []);
  for (const folder of ORDER)
    assert.ok(
      files.some((file) => dirname(file) === folder),
      `${folder} is empty`,
    );
});

test("no file imports what it has to do without", () => {
  for (const { files: some, not, why } of BANS) {
    const banned = files.filter((file) => some.test(file));
    assert.ok(banned.length > 0, `${some}`);
    for (const file of banned)
      assert.deepEqual(
        allImports
          .get(file)!
          .filter(({ name }) => not.test(name))
          .map(({ name }) => name),
        [],
        `${file}: ${why}`,
      );
  }
});

test("a folder has few enough files to be seen at once, and entry points stand alone", () => {
  for (const folder of ORDER) {
    const count = readdirSync(folder).filter((name) => /\.(?:tsx?|mjs)$/.test(name)).length;
    assert.ok(count <= (folder === "src" ? MAX_ENTRY_POINTS : MAX_FILES), `${folder} has ${count} files`);
  }
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
  assert.ok(imports.get("src/main/app.ts")!.includes("src/nouns/screeners/routes.ts"));
  assert.ok(imports.get("src/main/app.ts")!.includes("koa"));
  assert.ok(!imports.get("src/main/app.ts")!.includes("src/main/context.ts"), "it is imported as a type alone");
  assert.ok(allImports.get("src/main/app.ts")!.some(({ name, isType }) => name === "src/main/context.ts" && isType));
  assert.ok(
    imports.get("src/nouns/screener-participants/queries.ts")!.includes("db/list/counts.ts"),
    "over several lines",
  );
  assert.ok([...closure("src/web.ts")].includes("better-sqlite3"));
});

test("a worker never loads the API, not even by a detour; and what runs a job knows no queue", () => {
  const api = (loaded: Set<string>) =>
    [...loaded].filter((one) =>
      /^src\/http\/(?!wire\/request-metrics)|routes\.ts$|^src\/main\/(?:app|server)\.ts$|^src\/web\.ts$|^@?koa/.test(
        one,
      ),
    );
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
  const loaded = closure("src/main/web-process.ts", importsAtOnce);
  assert.ok(loaded.has("koa") && loaded.has("src/main/context.ts"));
  for (const heavy of ["bullmq", "ioredis", "prom-client", "@bull-board/api", "openid-client", "nodemailer"])
    assert.ok(!loaded.has(heavy), heavy);
  assert.deepEqual([...closure("src/web.ts", importsAtOnce)].sort(), [
    "croner",
    "fastest-levenshtein",
    "node",
    "src/base/config.ts",
    "src/base/settings/arguments.ts",
    "src/base/settings/backup.ts",
    "src/base/settings/bucket.ts",
    "src/base/settings/cron.ts",
    "src/base/settings/listen-address.ts",
    "src/base/settings/mail.ts",
    "src/base/settings/misspelt.ts",
    "src/base/settings/oidc.ts",
    "src/base/settings/values.ts",
    "valibot",
  ]);
});

test("only db opens a store, only jobs and workers know Redis, only config reads the environment, and only the demo calls the API", () => {
  const importers = (name: RegExp) => files.filter((file) => imports.get(file)!.some((needed) => name.test(needed)));
  assert.deepEqual(importers(/^better-sqlite3$|^node:sqlite$/), ["db/sqlite/open.ts"]);
  assert.deepEqual(importers(/^(?:bullmq|ioredis)$/), [
    "src/engine/carriers/bullmq.ts",
    "src/engine/carriers/diagnose.ts",
    "src/engine/carriers/mail.ts",
    "src/engine/carriers/webhooks.ts",
  ]);
  assert.deepEqual(
    importers(/^src\/client\//).filter((file) => !file.startsWith("src/client/")),
    ["src/demo/main.ts"],
  );
  const readers = files.filter((file) => /process\s*\.\s*env|\benv\b.*from "node:process"/.test(code(file)));
  assert.deepEqual(readers, ["src/base/config.ts"]);
});

test("a noun's folder says what it is, and reads and writes it; and no folder is named after nothing", () => {
  const has = (folder: string) =>
    files.filter((file) => dirname(file) === folder).map((file) => file.slice(folder.length + 1));
  for (const noun of ORDER.filter((folder) => /^src\/nouns\/(?!question-types)[^/]+$/.test(folder)))
    for (const name of ["resource.ts", "queries.ts", "routes.ts"])
      assert.ok(has(noun).includes(name), `${noun}/${name}`);
  assert.deepEqual(
    files.filter((file) => /(?:^|\/)(?:utils?|helpers?|lib|common|misc)(?:\/|\.ts$)/.test(file)),
    [],
  );
});

test("the status of a job is written in one file", () => {
  const writers = files.filter((file) => /UPDATE job\b(?:(?!WHERE)[\s\S])*?\bstatus = /.test(code(file)));
  assert.deepEqual(writers, ["src/engine/ledger/states.ts"]);
});

/** What is exported though no file imports it by its name, and why. */
const EXPORTED: Record<string, string> = {
  "db/migrate.ts: buildEmpty": "A build calls it, when it is compiled.",
  "workers/thread.ts: perform": "Piscina calls it.",
  "workers/mail-thread.ts: perform": "Piscina calls it.",
  "src/http/openapi/typescript-types.ts: Problems": "It stands in a text: the client's types.",
  "src/http/openapi/typescript-types.ts: Paths": "It stands in a text: the client's types.",
};

const NAMED = [
  /\b(?:import|export)\s+(?:type\s+)?\{(?<names>[^{}]*)\}\s*from\s*["'](?<from>\.[^"']+)["']/g,
  /\{(?<names>[^{}]*)\}\s*(?::[^=;]*)?=\s*\(?\s*await import\(\s*["'](?<from>\.[^"']+)["']\s*\)/g,
  /\bimport\(\s*["'](?<from>\.[^"']+)["']\s*\)\)?\.(?<names>\w+)/g,
];

/** The names that a file imports from files of ours, each as "file: name". */
function namesImported(file: string): string[] {
  const text = code(file);
  return NAMED.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(({ groups }) =>
    groups!.names!.split(",").map((one) => {
      const [, name] = /^\s*(?:type\s+)?(\w*)/.exec(one)!;
      return `${join(dirname(file), groups!.from!)}: ${name}`;
    }),
  );
}

test("what is exported is imported elsewhere", () => {
  const imported = new Set(globSync("{src,workers,db,test,deploy}/**/*.{ts,tsx,mjs}").flatMap(namesImported));
  const exported = globSync("{src,workers,db}/**/*.{ts,tsx,mjs}")
    .filter((file) => !file.startsWith("src/client/"))
    .flatMap((file) =>
      [
        ...code(file).matchAll(
          /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type|let) (\w+)/gm,
        ),
      ].map(([, name]) => `${file}: ${name}`),
    );
  assert.deepEqual(exported.filter((one) => !imported.has(one)).sort(), Object.keys(EXPORTED).sort());
});

test("every type of question is in the registry", () => {
  assert.ok(QUESTION_TYPES.length > 3);
  const listed = imports.get("src/nouns/question-types/registry.ts")!;
  assert.deepEqual(
    QUESTION_TYPES.filter((file) => !listed.includes(file)),
    [],
  );
});

/** Files longer than 250 lines, and why they are still one. */
const LONG: Record<string, string> = {
  "src/client/types.ts": "It is made from the API description.",
  "src/events/types.ts": "It is a list, whose entries are read one by one.",
  "src/words/ar.ts": "It is a list, too, and Arabic has six plural forms.",
  "src/words/pl.ts": "It is a list, too, and Polish has four plural forms.",
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
