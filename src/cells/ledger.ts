// What the control store has of a workspace, as a small store of its own: it is written in one cell and taken over in another.

import { existsSync } from "node:fs";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { openReader, openScratchReader } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { alignArrived } from "../workspaces/accounts.ts";
import { forgetMoved } from "./moves.ts";

const OF = "(SELECT id FROM main.workspace WHERE uid = $)";

/**
 * The tables with rows of a workspace, and which rows: `$` stands for the workspace's id. Links to sign in stay behind: they work
 * for minutes.
 */
const TABLES = {
  workspace: "uid = $",
  api_key: `workspace_id = ${OF}`,
  api_key_secret: `api_key_id IN (SELECT id FROM main.api_key WHERE workspace_id = ${OF})`,
  workspace_user: `workspace_id = ${OF}`,
  console_session: `workspace_user_id IN (SELECT id FROM main.workspace_user WHERE workspace_id = ${OF})`,
  access_token: `workspace_user_id IN (SELECT id FROM main.workspace_user WHERE workspace_id = ${OF})`,
  job: `workspace_id = ${OF}`,
  job_body: `job_uid IN (SELECT uid FROM main.job WHERE workspace_id = ${OF})`,
  pending_event: "workspace_uid = $",
  webhook_workspace: `workspace_id = ${OF}`,
};
type Table = keyof typeof TABLES;

export const tables = Object.keys(TABLES) as Table[];

/** Statements on the rows of a workspace. Ids have nothing that would have to be quoted. */
function rowsOf(table: Table, workspaceUid: string): string {
  if (!/^[0-9a-f-]{36}$/.test(workspaceUid)) throw new Error(`${workspaceUid} is no id.`);
  return `SELECT * FROM main.${table} WHERE ${TABLES[table].replaceAll("$", `'${workspaceUid}'`)}`;
}

/** Writes the rows of a workspace into a new file, and its list of the erased. @param control its connection must not be in a transaction */
export function writeLedger(control: Writer, workspaceUid: string, file: string, erased: readonly string[]): void {
  attached(control, file, "sent", () =>
    immediate(control, () => {
      control.exec("CREATE TABLE sent.erased (line TEXT NOT NULL)");
      control.run("INSERT INTO sent.erased (line) SELECT value FROM json_each(?)", JSON.stringify(erased));
      for (const table of tables) control.exec(`CREATE TABLE sent.${table} AS ${rowsOf(table, workspaceUid)}`);
    }),
  );
}

/** The list of the erased in such a file. A cell of an earlier release sends none. */
export function erasedIn(file: string): string[] {
  const sent = openScratchReader(file);
  try {
    const isThere = sent.value("SELECT 1 FROM sqlite_schema WHERE name = 'erased'") !== undefined;
    return isThere ? sent.values("SELECT line FROM erased") : [];
  } finally {
    sent.close();
  }
}

/** Runs `work` in a transaction in which the workspace's rows are those of the file. @returns false when they are not */
export function withSameLedger(control: Writer, workspaceUid: string, file: string, work: () => void): boolean {
  return attached(control, file, "sent", () =>
    immediate(control, () => {
      const isUnchanged = tables.every((table) => {
        const [here, sent] = [rowsOf(table, workspaceUid), `SELECT * FROM sent.${table}`];
        const differ = (one: string, other: string) => control.value(`SELECT 1 FROM (${one} EXCEPT ${other}) LIMIT 1`);
        return differ(here, sent) === undefined && differ(sent, here) === undefined;
      });
      if (isUnchanged) work();
      return isUnchanged;
    }),
  );
}

/** What a result file's name is: the same everywhere. */
interface Files {
  /** The jobs that may have a body in the spool. */
  spool: string[];
  /** The names of result files. */
  results: string[];
}

/** The files that the workspace's jobs need: also those whose outcome the ledger does not have yet. */
export function filesOf(db: Reader, dataDir: string, workspaceUid: string): Files {
  const of = "workspace_id = (SELECT id FROM workspace WHERE uid = ?)";
  const open = "(finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL)";
  return {
    spool: db.values(`SELECT uid FROM job WHERE ${of} AND spooled_bytes IS NOT NULL AND ${open}`, workspaceUid),
    results: [
      ...db.values<string>(`SELECT result_file FROM job WHERE ${of} AND result_file IS NOT NULL`, workspaceUid),
      ...resultsInStore(
        dataDir,
        workspaceUid,
        db.values<string>(`SELECT uid FROM job WHERE ${of} AND finished_at IS NULL`, workspaceUid),
      ),
    ],
  };
}

function resultsInStore(dataDir: string, workspaceUid: string, jobs: readonly string[]): string[] {
  const path = storePath(dataDir, workspaceUid);
  if (!jobs.length || !existsSync(path)) return [];
  const store = openReader(path, { busyTimeoutMs: 2000, checkpoints: false });
  try {
    return store.values(
      `SELECT o.result_file FROM json_each(?) AS j CROSS JOIN job_outcome AS o ON o.job_uid = j.value
       WHERE o.result_file IS NOT NULL`,
      JSON.stringify(jobs),
    );
  } finally {
    store.close();
  }
}

/** Columns that refer to rows by numbers, which are others here: how the row is found by its id. */
const REFERENCES: Partial<Record<Table, { column: string; to: string; by: Table }>> = {
  api_key: { column: "workspace_id", to: "workspace", by: "workspace" },
  api_key_secret: { column: "api_key_id", to: "api_key", by: "api_key" },
  workspace_user: { column: "workspace_id", to: "workspace", by: "workspace" },
  access_token: { column: "workspace_user_id", to: "workspace_user", by: "workspace_user" },
  console_session: { column: "workspace_user_id", to: "workspace_user", by: "workspace_user" },
  job: { column: "workspace_id", to: "workspace", by: "workspace" },
  webhook_workspace: { column: "workspace_id", to: "workspace", by: "workspace" },
};

/**
 * Adds the rows of the file: the workspace is here from then on. In the same transaction, `before` says whether that is to be done
 * (and has done what must be done first), and `after` does what else belongs to it. @throws SqliteError when a row is here already
 */
export function takeOverLedger(
  control: Writer,
  file: string,
  { from, before, after }: { from: string; before: () => boolean; after: () => void },
): void {
  attached(control, file, "sent", () =>
    immediate(control, () => {
      if (!before()) return;
      for (const table of tables) insertRows(control, table);
      const uid = control.value<string>("SELECT uid FROM sent.workspace")!;
      alignArrived(control, uid);
      forgetMoved(control, uid);
      control.run(
        "UPDATE workspace SET moving = NULL, former_cells = concat_ws(',', former_cells, ?) WHERE uid = ?",
        from,
        uid,
      );
      // Only changes are counted (008-results).
      control.run(
        "UPDATE job SET result_bytes = (SELECT s.result_bytes FROM sent.job AS s WHERE s.uid = job.uid) WHERE uid IN (SELECT uid FROM sent.job)",
      );
      after();
    }),
  );
}

function insertRows(control: Writer, table: Table): void {
  const reference = REFERENCES[table];
  const own = new Set(["id", reference?.column]);
  // The id of webhook_workspace is its reference.
  const columns = control
    .values<string>("SELECT name FROM pragma_table_info(?)", table)
    .filter((name) => !own.has(name));
  const values = columns.map((name) => (table === "job" && name === "result_bytes" ? "NULL" : `s.${name}`));
  if (reference) {
    columns.push(reference.column);
    values.push(
      `(SELECT t.id FROM main.${reference.to} AS t JOIN sent.${reference.by} AS r ON r.uid = t.uid WHERE r.id = s.${reference.column})`,
    );
  }
  control.exec(
    `INSERT INTO main.${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM sent.${table} AS s ORDER BY s.rowid`,
  );
}

function attached<T>(control: Writer, file: string, name: string, work: () => T): T {
  control.run(`ATTACH ? AS ${name}`, file);
  try {
    return work();
  } finally {
    control.exec(`DETACH ${name}`);
  }
}
