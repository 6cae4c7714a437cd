// What would change if the store of a workspace became that of a backup again.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Control } from "../../db/control.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { openReader, openScratch, openScratchReader } from "../../db/sqlite/open.ts";
import { isDamage } from "../../db/sqlite/refused.ts";
import { storePath } from "../../db/store.ts";
import { listBack } from "../erasure/back.ts";
import { readList } from "../erasure/list.ts";
import type { BackedUp } from "./one-workspace.ts";

/** How many there are now, and were then; how many of those now would be lost, and how many that are gone would be back. */
interface Compared {
  now: number;
  before: number;
  lost: number;
  back: number;
}

export interface Comparison {
  /** By what it is. null: the store that is there can't be read. */
  counts: Record<"studies" | "versions" | "people" | "links" | "notes" | "suppressions", Compared> | null;
  /** Links that were answered since, and go back to how they were. */
  changedLinks: number;
  answers: { now: number; before: number };
  /** The events of the log that came after the backup. */
  events: number;
  /** Those of them that only say who was given people's data. */
  downloads: number;
  /** The people of the backup who were erased since: they stay erased. */
  erased: number;
  /** The jobs that have ended since: nobody knows any more what they did. */
  jobs: number;
  /** The jobs that wait: they run afterwards, on what was restored. */
  waiting: number;
}

/** Each by the table that has its rows, which have been there since the first release, or count as none. */
const TABLES = {
  studies: "screener",
  versions: "screener_publication",
  people: "participant",
  links: "screener_session",
  notes: "participant_note",
  suppressions: "mail_suppression",
} as const;

/** Not the participant of the test sessions, whom every store has. */
const IS_REAL = "t.id <> 0";

interface Of {
  dataDir: string;
  erasedDir: string;
  control: Control;
}

export function compare({ dataDir, erasedDir, control }: Of, { store, workspace: { uid } }: BackedUp): Comparison {
  const then = openScratchReader(store);
  try {
    const erased = listBack(then, uid, readList(erasedDir, uid)).length;
    const decided = new Set(then.values<string>("SELECT job_uid FROM job_outcome"));
    const of = "workspace_id = (SELECT id FROM workspace WHERE uid = ?)";
    const succeeded = control.reader.values<string>(`SELECT uid FROM job WHERE ${of} AND status = 'SUCCEEDED'`, uid);
    const waiting = control.reader.value<number>(
      `SELECT count(*) FROM job INDEXED BY job_open WHERE ${of} AND finished_at IS NULL`,
      uid,
    )!;
    const jobs = succeeded.filter((job) => !decided.has(job)).length;
    return { ...compareStores(storePath(dataDir, uid), store), erased, jobs, waiting };
  } finally {
    then.close();
  }
}

/** What a plan is called: another one if anything of it is different. Who is only given people's data makes no plan out of date. */
export function planOf({ events, downloads, ...comparison }: Comparison, { sha256, mark }: BackedUp): string {
  return createHash("sha256")
    .update(JSON.stringify([{ ...comparison, changes: events - downloads }, sha256, mark]))
    .digest("hex")
    .slice(0, 12);
}

type InStores = Pick<Comparison, "counts" | "changedLinks" | "answers" | "events" | "downloads">;

function compareStores(now: string, then: string): InStores {
  const nothing = { counts: null, changedLinks: 0, answers: { now: 0, before: 0 }, events: 0, downloads: 0 };
  if (!existsSync(now)) return nothing;
  try {
    // It recovers what a killed process has left.
    openReader(now, { busyTimeoutMs: 10_000, checkpoints: false }).close();
    const both = openScratch(":memory:", 10_000);
    try {
      both.run("ATTACH ? AS now", now);
      both.run("ATTACH ? AS before", then);
      // A file that was cut to nothing has no tables.
      const isEmpty = both.value("SELECT 1 FROM now.sqlite_schema LIMIT 1") === undefined;
      return isEmpty ? nothing : both.snapshot(() => compareAttached(both));
    } finally {
      both.close();
    }
  } catch (error) {
    // A store that is only busy, say, must not look as if nothing in it were lost.
    if (!isDamage(error)) throw error;
    return nothing;
  }
}

function compareAttached(both: Reader): InStores {
  const number = (sql: string) => both.value<number>(sql)!;
  const isIn = (schema: string, table: string) =>
    both.value(`SELECT 1 FROM ${schema}.sqlite_schema WHERE name = ?`, table) === 1;
  const total = (schema: string, table: string) =>
    isIn(schema, table) ? number(`SELECT count(*) FROM ${schema}.${table} AS t WHERE ${IS_REAL}`) : 0;
  const missing = (table: string, one: string, other: string) => {
    if (!isIn(one, table)) return 0;
    if (!isIn(other, table)) return total(one, table);
    return number(
      `SELECT count(*) FROM ${one}.${table} AS t WHERE ${IS_REAL} AND NOT EXISTS (SELECT 1 FROM ${other}.${table} AS o WHERE o.uid = t.uid)`,
    );
  };
  const counts = Object.fromEntries(
    Object.entries(TABLES).map(([name, table]) => [
      name,
      {
        now: total("now", table),
        before: total("before", table),
        lost: missing(table, "now", "before"),
        back: missing(table, "before", "now"),
      },
    ]),
  ) as NonNullable<Comparison["counts"]>;
  const changedLinks = number(
    `SELECT count(*) FROM now.screener_session AS t JOIN before.screener_session AS o ON o.uid = t.uid
     WHERE o.last_active_at IS NOT t.last_active_at OR o.state <> t.state OR o.status <> t.status`,
  );
  const answers = { now: total("now", "screener_response"), before: total("before", "screener_response") };
  const isNew = isIn("before", "event") ? "NOT EXISTS (SELECT 1 FROM before.event AS o WHERE o.uid = t.uid)" : IS_REAL;
  const ofLog = (which: string) =>
    isIn("now", "event") ? number(`SELECT count(*) FROM now.event AS t WHERE ${which}`) : 0;
  const events = ofLog(isNew);
  const downloads = ofLog(`${isNew} AND t.type = 'data.exported'`);
  return { counts, changedLinks, answers, events, downloads };
}
