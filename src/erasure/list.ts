// The list of the erased: so that nobody comes back with a backup. It is kept apart from the stores (ERASED_DIR), and no backup of the
// stores has it in it. A folder has a file for each workspace, to which lines are only added:
//
//   key <64 hexadecimal digits>
//   <when, ISO-8601> <HMAC-SHA256 of the workspace's and the participant's id, with the key>
//
// It has no ids, names or emails. Lists are merged by adding the lines that one of them lacks: so a file may have several keys.

import { createHmac, createSecretKey, hash, type KeyObject, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { makeFolders, syncFolder } from "../../db/sqlite/folders.ts";

/** A line of a list that is whole. */
export const LINE = /^(?:key [0-9a-f]{64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [0-9a-f]{64})$/;
const FILE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A list in a bucket, or in a copy of one, may be in several files. Each has a name of its own, so that none is written over. */
const PART = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-[0-9a-f]{16})?$/;

/** The list of a workspace. */
export interface ErasedOf {
  /** Not as bytes: Node takes six times as long with those, for each hash. */
  keys: KeyObject[];
  /** When each was erased, in ms since 1970; by hash. */
  hashes: Map<string, number>;
}

/** Whether there is a list, however short. */
export function isListThere(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => FILE.test(name));
}

/**
 * Whether the list is lost together with the data: it lies in DATA_DIR, on its disk. Where it is not there yet, by the folder that it will
 * be made in.
 */
export function isListBesideData({ dataDir, erasedDir }: { dataDir: string; erasedDir: string }): boolean {
  const [data, list] = [resolve(dataDir), resolve(erasedDir)];
  if (!list.startsWith(data + sep)) return false;
  const there = existsSync(list) ? list : dirname(list);
  return !existsSync(there) || statSync(there).dev === statSync(data).dev;
}

/** The ids of the workspaces that have a list. */
export function listedWorkspaces(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => FILE.test(name)) : [];
}

/** The lines of a workspace's list, without what a crash has left half-written. */
export function readLines(folder: string, workspaceUid: string): string[] {
  const path = join(folder, workspaceUid);
  return existsSync(path) ? linesOf(readFileSync(path, "utf8")) : [];
}

const linesOf = (text: string) => text.split("\n").filter((line) => LINE.test(line));

/** A list as one file of a bucket: the same lines always have the same name. */
export function partOf(folder: string, workspaceUid: string): { name: string; text: string } {
  const text = `${readLines(folder, workspaceUid).sort().join("\n")}\n`;
  return { name: `${workspaceUid}-${hash("sha256", text).slice(0, 16)}`, text };
}

/** The workspace whose list a file of a bucket belongs to; undefined: it is none. */
export const workspaceOfPart = (name: string): string | undefined => PART.exec(name)?.[1];

export function readList(folder: string, workspaceUid: string): ErasedOf {
  const list: ErasedOf = { keys: [], hashes: new Map() };
  for (const line of readLines(folder, workspaceUid)) {
    const [first, second] = line.split(" ") as [string, string];
    if (first === "key") list.keys.push(createSecretKey(second, "hex"));
    else list.hashes.set(second, Date.parse(first));
  }
  return list;
}

/** When a participant was erased, in ms since 1970; undefined: the list does not have it. */
export function erasedAt({ keys, hashes }: ErasedOf, workspaceUid: string, participantUid: string): number | undefined {
  for (const key of keys) {
    const at = hashes.get(hashOf(key, workspaceUid, participantUid));
    if (at !== undefined) return at;
  }
  return undefined;
}

/** A participant who was erased. */
export interface Erasure {
  uid: string;
  /** In ms since 1970. */
  at: number;
}

/** Adds those whom the list does not have. On the disk when this returns. @throws Error of the file system */
export function addErased(folder: string, workspaceUid: string, erasures: readonly Erasure[]): void {
  const known = readList(folder, workspaceUid);
  const missing = erasures.filter(({ uid }) => erasedAt(known, workspaceUid, uid) === undefined);
  if (!missing.length) return;
  const [key = makeKey(folder, workspaceUid)] = known.keys;
  const lines = missing.map(({ uid, at }) => `${new Date(at).toISOString()} ${hashOf(key, workspaceUid, uid)}`);
  append(folder, workspaceUid, lines);
}

/** Adds the lines that the list of a workspace lacks. @returns how many */
export function addLines(folder: string, workspaceUid: string, lines: readonly string[]): number {
  const known = new Set(readLines(folder, workspaceUid));
  const missing = lines.filter((line) => LINE.test(line) && !known.has(line));
  if (missing.length) append(folder, workspaceUid, missing);
  return missing.length;
}

/** Adds what another folder has and this one lacks. @param only of which workspace; undefined: of all */
export function mergeLists(from: string, folder: string, only?: string): void {
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const uid = workspaceOfPart(name);
    if (uid !== undefined && (only === undefined || uid === only)) addLines(folder, uid, readLines(from, name));
  }
}

function hashOf(key: KeyObject, workspaceUid: string, participantUid: string): string {
  return createHmac("sha256", key).update(`${workspaceUid}/${participantUid}`).digest("hex");
}

/** Two processes may make the first entry at the same time: the file is there with its key, or not at all. */
function makeKey(folder: string, workspaceUid: string): KeyObject {
  makePrivate(folder);
  const path = join(folder, workspaceUid);
  const key = randomBytes(32);
  const draft = `${path}.${key.toString("hex", 0, 8)}`;
  writeFileSync(draft, `key ${key.toString("hex")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // It lost its key: then it gets another one.
    const [first] = readList(folder, workspaceUid).keys;
    if (first) return first;
    append(folder, workspaceUid, [`key ${key.toString("hex")}`]);
  } finally {
    rmSync(draft, { force: true });
  }
  return createSecretKey(key);
}

function append(folder: string, workspaceUid: string, lines: readonly string[]): void {
  makePrivate(folder);
  const file = openSync(join(folder, workspaceUid), "a+", 0o600);
  try {
    // What a crash has left half-written is no line.
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    const isWhole = size === 0 || last[0] === 10;
    writeSync(file, `${isWhole ? "" : "\n"}${lines.join("\n")}\n`);
    fsyncSync(file);
    if (size === 0) syncFolder(folder);
  } finally {
    closeSync(file);
  }
}

function makePrivate(folder: string): void {
  if (!existsSync(folder)) makeFolders(folder, 0o700);
}
