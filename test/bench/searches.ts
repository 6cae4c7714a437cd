// How soon people are found by words among a million: by words that few, many and all have, among all of them and in studies of all sizes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FilterColumn } from "../../db/list/where.ts";
import { keepSearch } from "../../db/people-search.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { participantList } from "../../src/nouns/participants/resource.ts";
import { assignmentList } from "../../src/nouns/screener-participants/resource.ts";
import { type Figure, median } from "./figures.ts";
import { person } from "./people.ts";

const PEOPLE = 1_000_000;
const ROUNDS = 5;
const WORKSPACE = "00000000-0000-7000-8000-000000000001";
const PAGE = { offset: 0, limit: 100 };
const AT_MOST_MS = 100;

/** Another place for each number: neighbours come to be far from each other. */
const anyPlace = "p.id * 7919 % 1000003";

/** Which people have a word, by their rowids. */
const WORDS = {
  nobodys: "FALSE",
  rareword: "id % 200003 = 7",
  thousandth: "id % 1000 = 7",
  fourtenths: "id * 7919 % 1000003 % 10 < 4",
  everybodys: "TRUE",
};

const HAS_WORD = WORDS.fourtenths.replaceAll("id", "p.id");
const WITH_FEW = `(NOT (${HAS_WORD}) OR p.id % 2003 = 0)`;

/** Who is in a study, and in which order they came. */
const STUDIES: readonly { name: string; where: string; order?: string; size: number }[] = [
  { name: "a study of 100", where: "p.id % 10007 = 0", size: 100 },
  { name: "a study of 20,000", where: "p.id % 50 = 1", size: 20_000 },
  { name: "200,000 in order", where: "p.id % 5 = 1", size: 200_000 },
  { name: "200,000 in order, few with it", where: `p.id % 3 = 1 AND ${WITH_FEW}`, size: 200_000 },
  { name: "200,000 in any order", where: "p.id % 5 = 2", order: anyPlace, size: 200_000 },
  { name: "200,000 in any order, few with it", where: `p.id % 3 = 2 AND ${WITH_FEW}`, order: anyPlace, size: 200_000 },
  { name: "600,000 in order", where: "p.id % 5 > 1", size: 600_000 },
  { name: "600,000 in order, few with it", where: WITH_FEW, size: 600_000 },
  { name: "600,000 in any order, few with it", where: WITH_FEW, order: anyPlace, size: 600_000 },
  { name: "everybody in order", where: "TRUE", size: PEOPLE },
  { name: "everybody in any order", where: "TRUE", order: anyPlace, size: PEOPLE },
];

function fillPeople(db: Writer): void {
  db.run(
    "INSERT INTO actor (type, uid, name) SELECT 'TenantUserActor', 'bench', 'Bench' WHERE NOT EXISTS (SELECT 1 FROM actor)",
  );
  const words = Object.entries(WORDS).map(([word, where]) => `iif(${where}, ' ${word}', '')`);
  const step = 10_000;
  for (let from = 1; from <= PEOPLE; from += step) {
    const rows = Array.from({ length: step }, (_, index) => {
      const { externalUid, email, name } = person(from + index);
      return [from + index, externalUid, email, name];
    });
    db.run(
      `INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
       SELECT id, printf('%08x-0000-7000-8000-%012x', id, id), value ->> 1, value ->> 2, concat(value ->> 3, ${words.join(", ")}), 1, '', 1, ''
       FROM (SELECT value, value ->> 0 AS id FROM json_each(?))`,
      JSON.stringify(rows),
    );
  }
  for (const [index, { where, order = "p.id", size }] of STUDIES.entries()) {
    db.run(
      "INSERT INTO screener (id, uid, created_by, created_at, updated_by, updated_at) VALUES (?, ?, 1, '', 1, '')",
      index + 1,
      `study-${index}`,
    );
    db.run(
      `INSERT INTO screener_participant (uid, screener_id, participant_id)
       SELECT printf('%08x-0000-7001-8000-%012x', ${index}, p.id), ?, p.id FROM participant AS p WHERE p.id > 0 AND ${where} ORDER BY ${order} LIMIT ?`,
      index + 1,
      size,
    );
  }
  for (const [table, facets] of [
    ["participant", ""],
    ["screener_participant", "screener_id, status, "],
  ])
    db.run(
      `INSERT INTO ${table}_block (${facets}block, n) SELECT ${facets}id >> 10, count(*) FROM ${table} WHERE id > 0 GROUP BY ${facets}id >> 10`,
    );
}

/** The first page of whom words find. @param study its rowid; undefined: among all people */
function readFirst(db: Reader, words: string, study: number | undefined) {
  const list = study === undefined ? participantList : assignmentList;
  const { by } = list.filters.search as { by: FilterColumn };
  const matches = { by, operator: "matches" as const, values: [words] };
  const ofStudy = { by: { column: "screener_id" }, operator: "eq" as const, values: [`${study}`] };
  return list.page(db, study === undefined ? [matches] : [ofStudy, matches], PAGE);
}

const cpuMs = (before: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Processor time of one request, in ms: of each study and word, the slowest ones beside the target. */
export async function searches(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "screening-searches-"));
  try {
    const stores = new Workspaces(folder, { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
    stores.create(WORKSPACE);
    stores.write(WORKSPACE, fillPeople);
    keepSearch(stores, WORKSPACE);
    stores.trim(WORKSPACE);
    return stores.read(WORKSPACE, (db) => [undefined, ...STUDIES.keys()].flatMap((study) => figuresOf(db, study)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresOf(db: Reader, study: number | undefined): Figure[] {
  return [...Object.keys(WORDS), "everybodys fourtenths"].map((words) => {
    const ms: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      db.snapshot(() => readFirst(db, words, study === undefined ? undefined : study + 1));
      if (round >= 0) ms.push(cpuMs(before));
    }
    const what = `${study === undefined ? "Among all people" : STUDIES[study]!.name}: ${words}`;
    return { what, unit: "ms", value: median(ms), target: { atMost: AT_MOST_MS }, samples: { ms } };
  });
}
