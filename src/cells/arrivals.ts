// Where workspaces arrive from other cells: DATA_DIR/arriving/<move>/, until they are whole. The work is done in threads.

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { controlPath } from "../../db/control.ts";
import { lowerFence } from "../../db/fence.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { CONTROL, Doubt } from "../../db/sqlite/doubt.ts";
import { makeFolder, makeFolders, syncFolder } from "../../db/sqlite/folders.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { addLines } from "../erasure/list.ts";
import { movePending, pendEvent } from "../events/outbox.ts";
import { cellOf } from "../workspaces/installation.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { erasedIn, takeOverLedger } from "./ledger.ts";
import { findArrival } from "./moves.ts";
import { LEDGER, type NewMove, type Prepare, STORE, WAL } from "./wire.ts";

/** What a cell keeps of a move to it, beside the files. */
interface Arriving extends NewMove {
  /** The hash of the token, in hexadecimal. */
  token: string;
  /** Whether all files have come. */
  isPrepared: boolean;
}

const WAIT_MS = 10_000;

/** What the folders of moves in DATA_DIR/tmp begin with. */
export const SCRATCH = "move-";

export function arrivingPath(dataDir: string, move: string, ...path: string[]): string {
  return join(dataDir, "arriving", move, ...path);
}

/** @returns undefined when nothing is known of the move */
export function readArriving(dataDir: string, move: string): Arriving | undefined {
  const path = arrivingPath(dataDir, move, "move.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Begins a move. Earlier ones of the same workspace are forgotten. */
export const beginMove: SideTask<Omit<Arriving, "isPrepared">, void> = {
  name: "begin-move",
  perform({ dataDir }, arriving) {
    for (const other of listArriving(dataDir))
      if (readArriving(dataDir, other)?.workspace === arriving.workspace) forgetArriving(dataDir, other);
    for (const folder of ["spool", "results"]) makeFolder(arrivingPath(dataDir, arriving.move, folder));
    write(dataDir, arriving.move, { ...arriving, isPrepared: false });
  },
};

/** Forgets a move that was not activated. */
export const forgetMove: SideTask<string, void> = {
  name: "forget-move",
  perform: ({ dataDir }, move) => forgetArriving(dataDir, move),
};

function forgetArriving(dataDir: string, move: string): void {
  rmSync(arrivingPath(dataDir, move), { recursive: true, force: true });
}

/** The ids of the moves that have begun. */
export function listArriving(dataDir: string): string[] {
  const folder = join(dataDir, "arriving");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Checks that all has come, and puts it on the disk. May be repeated. @returns what is wrong, in a sentence; undefined: nothing */
export const prepareArrival: SideTask<{ move: string } & Prepare, string | undefined> = {
  name: "prepare-arrival",
  perform({ dataDir }, { move, files }) {
    const arriving = readArriving(dataDir, move);
    if (!arriving) return "The move is unknown.";
    const path = (name: string) => arrivingPath(dataDir, move, name);
    for (const [name, bytes] of Object.entries(files)) {
      // The first time has copied the WAL into the store, and writes to both were fenced off before that.
      if (arriving.isPrepared && (name === STORE || name === WAL)) continue;
      const size = statSync(path(name), { throwIfNoEntry: false })?.size ?? -1;
      if (size < bytes) return `${name} has ${size} bytes, and not ${bytes}.`;
      const file = openSync(path(name), "r+");
      ftruncateSync(file, bytes);
      fsyncSync(file);
      closeSync(file);
    }
    for (const folder of ["spool", "results"])
      for (const name of readdirSync(path(folder)))
        if (!(`${folder}/${name}` in files)) rmSync(path(`${folder}/${name}`));
    if (arriving.isPrepared) return undefined;
    if (!(WAL in files)) rmSync(path(WAL), { force: true });
    // Closing it copies the WAL into the file.
    lowerFence(path(STORE), WAIT_MS);
    if (storedIn(path(STORE)) !== arriving.workspace) return "The store is not the workspace's.";
    write(dataDir, move, { ...arriving, isPrepared: true });
    return undefined;
  },
};

function storedIn(path: string): string | undefined {
  const db = openWriter(path, { busyTimeoutMs: WAIT_MS, checkpoints: false }, true);
  try {
    return db.value<string>("SELECT workspace_uid FROM store");
  } finally {
    db.close();
  }
}

/** What came of the wish to have a workspace here. GONE: it has arrived, and is not here any more. */
type Activation = "ACTIVE" | "GONE" | "UNKNOWN" | "NOT_PREPARED" | "EXISTS";

/** Moves the files to where they belong, and adds the rows, in one transaction. May be interrupted and repeated. */
export const activateArrival: SideTask<string, Activation> = {
  name: "activate-arrival",
  perform({ dataDir, erasedDir, workspaces }, move) {
    const doubt = new Doubt(dataDir, CONTROL);
    const control = openWriter(controlPath(dataDir), { busyTimeoutMs: WAIT_MS, checkpoints: false, doubt }, true);
    try {
      const earlier = activationBefore(control, move);
      const arriving = readArriving(dataDir, move);
      if (earlier || !arriving) {
        forgetArriving(dataDir, move);
        return earlier ?? "UNKNOWN";
      }
      if (!arriving.isPrepared) return "NOT_PREPARED";
      if (findWorkspace(control, arriving.workspace)) return "EXISTS";
      // The list of the erased comes first: no backup of this cell may bring them back.
      addLines(erasedDir, arriving.workspace, erasedIn(arrivingPath(dataDir, move, LEDGER)));
      takeOver(control, dataDir, move, arriving);
      forgetArriving(dataDir, move);
      moveEvent(control, workspaces, arriving.workspace);
      return "ACTIVE";
    } finally {
      control.close();
    }
  },
};

/** What came of an activation before; undefined: there was none. */
function activationBefore(control: Reader, move: string): Activation | undefined {
  const arrival = findArrival(control, move);
  if (!arrival) return undefined;
  const row = findWorkspace(control, arrival.workspace_uid);
  return row && row.moving !== "MOVED" ? "ACTIVE" : "GONE";
}

function takeOver(control: Writer, dataDir: string, move: string, { workspace, from, by, token }: Arriving): void {
  const cell = cellOf(control);
  takeOverLedger(control, arrivingPath(dataDir, move, LEDGER), {
    from,
    // Under the lock: a second request for the same must not find half of it moved.
    before() {
      if (findArrival(control, move)) return false;
      moveFiles(dataDir, move, workspace);
      return true;
    },
    after() {
      control.run(
        "INSERT INTO arrival (move_uid, workspace_uid, token, arrived_at) VALUES (?, ?, ?, ?)",
        move,
        workspace,
        Buffer.from(token, "hex"),
        Date.now(),
      );
      noteWorkspace(control, "mail_workspace", workspace);
      const actor = { type: "OperatorActor" as const, uid: by.uid, name: by.name };
      const cause = { actor, requestId: null, jobUid: null, note: by.note };
      const resource = { type: "Workspace", uid: workspace };
      const changes = [{ field: "cell", from, to: cell }];
      pendEvent(control, workspace, cause, { type: "workspace.moved", resource, changes });
    },
  });
}

/** Has the log say now that the workspace has moved. If that fails, upkeep does it. */
function moveEvent(control: Writer, workspaces: Workspaces, workspace: string): void {
  try {
    movePending(control, workspace, (work) => workspaces.write(workspace, work));
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/** Moves what has come to where it belongs. What is there already was moved before an interruption. */
function moveFiles(dataDir: string, move: string, workspace: string): void {
  const store = storePath(dataDir, workspace);
  makeFolder(dirname(store));
  // What an earlier move has left there, which was interrupted at this point.
  if (existsSync(arrivingPath(dataDir, move, STORE)))
    for (const end of ["-wal", "-shm"]) rmSync(store + end, { force: true });
  rename(arrivingPath(dataDir, move, STORE), store);
  for (const folder of ["spool", "results"]) {
    makeFolders(join(dataDir, folder));
    for (const name of readdirSync(arrivingPath(dataDir, move, folder)))
      rename(arrivingPath(dataDir, move, folder, name), join(dataDir, folder, name));
    syncFolder(join(dataDir, folder));
  }
  syncFolder(dirname(store));
}

function rename(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

function write(dataDir: string, move: string, arriving: Arriving): void {
  const path = arrivingPath(dataDir, move, "move.json");
  const file = openSync(`${path}.new`, "w", 0o600);
  writeFileSync(file, JSON.stringify(arriving));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}
