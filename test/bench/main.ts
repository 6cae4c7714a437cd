// The benchmark: `npm run bench [-- [--runs N] name …]`. Measures the service's processes against floors, all in one run, and
// prints what came out of it. With several runs it prints the median of each figure.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { answerTables } from "./answer-tables.ts";
import { answers, opening, posts, responses } from "./answers.ts";
import { asked } from "./asked.ts";
import { cells, twoCells } from "./cells.ts";
import { events, recorded } from "./events.ts";
import { feasibility } from "./feasibility.ts";
import { type Figure, medians, table, toJson } from "./figures.ts";
import { forecast } from "./forecast.ts";
import { memory, removal } from "./heavy.ts";
import { csvImports, emailImports, imports, million, searchedImports, smallImports, twoImports } from "./imports.ts";
import { joins } from "./joins.ts";
import { mailings } from "./mailings.ts";
import { migration } from "./migration.ts";
import { moves } from "./moves.ts";
import { offers, recounts } from "./offers.ts";
import { inBrowser, pages } from "./pages.ts";
import { cold, idle, twoWebs } from "./processes.ts";
import { quotas } from "./quotas.ts";
import { duringJobs, list, neighbours, one } from "./reads.ts";
import { released } from "./released.ts";
import { searches } from "./searches.ts";
import { signals } from "./signals.ts";
import { sizing } from "./sizing.ts";
import { kept, undoing } from "./undo.ts";
import { webhooks } from "./webhooks.ts";

const measurements: Record<string, () => Promise<Figure[]>> = {
  list,
  one,
  small: smallImports,
  import: imports,
  csv: csvImports,
  emails: emailImports,
  searched: searchedImports,
  searches,
  kept,
  undo: undoing,
  two: twoImports,
  during: duringJobs,
  neighbours,
  million,
  memory,
  removal,
  answers,
  asked,
  released,
  posts,
  signals,
  joins,
  opening,
  move: moves,
  offer: offers,
  recount: recounts,
  mailings,
  responses,
  tables: answerTables,
  forecast,
  feasibility,
  quotas,
  events,
  recorded,
  webhooks,
  cold,
  idle,
  webs: twoWebs,
  cells,
  "two-cells": twoCells,
  sizing,
  migration,
  console: inBrowser,
  pages,
};

const { values, positionals: chosen } = parseArgs({
  options: { runs: { type: "string", default: "1" } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const unknown = chosen.filter((name) => !(name in measurements));
if (unknown.length) {
  process.stderr.write(`There is no ${unknown.join(", ")}. Choose from: ${Object.keys(measurements).join(", ")}.\n`);
  process.exit(2);
}

if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write("--runs is a number from 1 on.\n");
  process.exit(2);
}

const figures: Figure[] = [];
let failed = false;
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const started = performance.now();
  process.stdout.write(`${name} … `);
  try {
    const found: Figure[][] = [];
    while (found.length < runs) found.push(await measure());
    figures.push(...medians(found));
    process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    failed = true;
    process.stdout.write(`failed: ${error instanceof Error ? error.message : error}\n`);
  }
}

process.stdout.write(`\n${table(figures)}`);
writeFileSync(new URL("results.json", import.meta.url), toJson(figures));
process.exit(failed ? 1 : 0);
