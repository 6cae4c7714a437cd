// The command that brings all stores up to date, or says what that would take.

import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { controlPath } from "../../db/control.ts";
import type { StoreKind } from "../../db/migrate.ts";
import { type MigrationPlan, planMigration } from "../../db/migration-plan.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { openReader } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import { counted } from "../languages/counted.ts";
import { migrateAll } from "../upkeep/housekeeping.ts";
import { command, type Output } from "./running/command.ts";

interface PlannedStore extends MigrationPlan {
  /** `control`, or the workspace's id. */
  store: string;
  name: string | null;
  bytes: number;
}

/** What `migrate` would do. Nothing is changed. */
function planAll(dataDir: string): Output {
  const planned: PlannedStore[] = [];
  let count = 1;
  const look = <T>(path: string, read: (db: Reader) => T): T => {
    const db = openReader(path, COMMAND_LINE);
    try {
      return read(db);
    } finally {
      db.close();
    }
  };
  const plan = (db: Reader, kind: StoreKind, path: string, store: string, name: string | null) => {
    const found = planMigration(db, kind);
    if (found) planned.push({ store, name, ...found, bytes: statSync(path).size });
  };
  const path = controlPath(dataDir);
  if (!existsSync(path))
    return { json: { changed: false, stores: [] }, lines: ["There is no data yet. Nothing was changed."] };
  const workspaces = look(path, (db) => {
    plan(db, "control", path, "control", null);
    return db.all<{ uid: string; name: string }>("SELECT uid, name FROM workspace ORDER BY id");
  });
  for (const { uid, name } of workspaces) {
    const file = storePath(dataDir, uid);
    if (!existsSync(file)) continue;
    count++;
    look(file, (db) => plan(db, "workspace", file, uid, name));
  }
  const lines = planned.map(
    ({ store, name, from, to, seconds, bytes, growthBytes }) =>
      `${name === null ? "The control store" : `${store} (${name})`}: from schema version ${from} to ${to}, ` +
      `about ${seconds < 1 ? "a second or less" : `${Math.ceil(seconds)} s`}; ${mb(bytes)} now, about ${mb(growthBytes)} more.`,
  );
  const rest = count - planned.length;
  lines.push(`${planned.length} of ${count} stores would be migrated, ${rest} are up to date. Nothing was changed.`);
  const stores = planned.map((one) => ({
    ...one,
    seconds: Math.ceil(one.seconds),
    growthBytes: Math.ceil(one.growthBytes),
  }));
  return { json: { changed: false, stores }, lines };
}

export function addMigrate(program: Command): void {
  command(
    program,
    "migrate",
    "Bring all stores up to date",
    (store) => {
      const count = migrateAll(store);
      return {
        json: { workspaces: count },
        lines: [`The control store and ${counted(count, "workspace", "workspaces")} are up to date.`],
      };
    },
    (c) => c.option("--plan", "only say which stores would be migrated, how long it takes, and how much they grow"),
    (dataDir, { plan }) => (plan ? planAll(dataDir) : undefined),
  );
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
