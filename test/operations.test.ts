// The operations page has what operators look for: every variable, every alert, every kind of line of the log; and links that lead somewhere.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parseWithPointers } from "@stoplight/yaml";
import { jobKinds } from "../src/api/job-kinds.ts";
import { VARIABLES } from "../src/base/config.ts";
import type { AnyJobKind } from "../src/engine/run/define-job.ts";
import { EVENTS, type EventDeclaration } from "../src/events/types.ts";
import { readContainerfile } from "./support/container.ts";

const page = readFileSync("docs/operations.md", "utf8");

/** The part below a heading, up to the next one of that level or a higher one. */
function section(heading: string): string {
  const [, text] = page.split(`\n${heading}\n`);
  assert.ok(text, `the page has no ${heading}`);
  return text.split(new RegExp(`\\n#{1,${heading.indexOf(" ")}} `))[0]!;
}

/** What is in backticks in the first column of a table. */
function firstColumn(text: string): string[] {
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

test("every variable that is read is in the table, and no other", () => {
  const names = firstColumn(section("## Configuration"));
  // It still works, and is described with the one that replaced it.
  assert.deepEqual([...names, "JOB_RESULT_TTL_DAYS"].sort(), [...VARIABLES].sort());
});

test("for every alert there is what to do, and for no other", () => {
  const alerts = [...readFileSync("deploy/alerts.yml", "utf8").matchAll(/^ +- alert: (\w+)$/gm)].map(
    ([, name]) => name!,
  );
  assert.ok(alerts.length > 10);
  assert.deepEqual(firstColumn(section("### Alerts, and what to do")).sort(), alerts.sort());
});

test("every image of others has its tag and its digest, one for all places that name it", () => {
  const instructions = readContainerfile("deploy/Containerfile");
  const from = instructions.filter(({ name }) => name === "FROM").map(({ rest }) => rest.split(/ AS /i));
  const stages = from.map(([, alias]) => alias);
  const copied = instructions.flatMap(({ name, rest }) =>
    name === "COPY" || name === "RUN" ? [...rest.matchAll(/\bfrom=([^\s,]+)/g)].map(([, base]) => base!) : [],
  );
  const { data } = parseWithPointers<{ services: Record<string, { image: string; build?: object }> }>(
    readFileSync("deploy/compose.yaml", "utf8"),
    { mergeKeys: true },
  );
  const others = Object.values(data!.services).filter(({ build }) => !build);
  const text = globSync(["*.md", "docs/**/*.md", "deploy/**/*.*"])
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const named = [
    ...from.map(([base]) => base!).filter((base) => !stages.includes(base)),
    ...copied.filter((base) => !stages.includes(base)),
    ...others.map(({ image }) => image),
    ...(text.match(/\b(?:docker\.io|ghcr\.io|quay\.io|gcr\.io|public\.ecr\.aws)\/[\w./:@-]+/g) ?? []),
  ];
  assert.ok(named.length >= 3, named.join());
  const digests = new Map<string, string>();
  for (const image of named) {
    const [, name, digest] = /^([\w.-]+(?:\/[\w.-]+)+:[\w.-]+)@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
    assert.ok(name && digest, `${image} has no tag or no digest`);
    assert.equal(digests.get(name) ?? digest, digest, `${name} has two digests`);
    digests.set(name, digest);
  }
});

test("every kind of line of the log is in its table", () => {
  const files = globSync("{src,workers,db}/**/*.ts").filter((file) => !file.startsWith("src/cli"));
  const said = files.flatMap((file) => {
    const calls = readFileSync(file, "utf8").matchAll(
      /\blog(?:\.(?:fatal|error|warn|info|debug)|\[[^\]]+\])\(([\s\S]*?)\)(?:;|,\n|\n)/gi,
    );
    // Of a message that depends: each of its texts.
    return [...calls].flatMap(([, call]) => [...call!.matchAll(/"([^"]+)"(?=,?\s*(?:$|:))/g)].map(([, text]) => text!));
  });
  assert.ok(said.length > 30, said.join());
  const known = firstColumn(section("## The log"));
  assert.deepEqual(
    [...new Set(said)].filter((text) => !known.includes(text)),
    [],
  );
  assert.ok(known.includes("request") && readFileSync("src/base/log.ts", "utf8").includes('"msg":"request"'));
});

test("the links of all documents lead to a file and a heading", () => {
  const anchorsOf = (path: string) =>
    [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
  const broken: string[] = [];
  for (const file of [...globSync("*.md"), ...globSync("docs/{,contract/}*.md")]) {
    const text = readFileSync(file, "utf8").replace(/^```[\s\S]*?^```/gm, "");
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [path, anchor] = target!.split("#");
      const found = path ? join(dirname(file), path) : file;
      if (!existsSync(found) || (anchor && !anchorsOf(found).includes(anchor))) broken.push(`${file}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("every type of event is in the contract's table, with what it is about", () => {
  const rows = readFileSync("docs/contract/events.md", "utf8").matchAll(
    /^\| ((?:`[a-z-]+\.[a-z-]+`(?:, )?)+) \| ([^|]+) \|/gm,
  );
  const documented = [...rows].flatMap(([, types, about]) =>
    [...types!.matchAll(/`([^`]+)`/g)].map(([, type]) => [type!, about!.match(/[A-Z]\w+/g)!.sort()] as const),
  );
  const declared = Object.entries(EVENTS).map(([type, { about }]) => [type, [about].flat().sort()] as const);
  const byType = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);
  assert.deepEqual(documented.sort(byType), declared.sort(byType));
});

test("the events of jobs may be about what their jobs are about", () => {
  const declared: Record<string, EventDeclaration> = EVENTS;
  const payload = { participantId: "p", sessionId: "s", screenerId: "t", workspaceId: "w" };
  for (const { kind, resourceOf, events } of jobKinds as AnyJobKind[]) {
    const about = resourceOf?.(payload).type;
    for (const type of about ? Object.values(events) : [])
      assert.ok([declared[type]!.about].flat().includes(about!), `${kind}: ${type} about ${about}`);
  }
});
