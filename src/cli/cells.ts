// The commands of cells: which there are, what is where, and how a workspace goes from one to another.

import { type Command, InvalidArgumentError } from "commander";
import { ask } from "../base/ask.ts";
import { configOrExit } from "../base/config.ts";
import { Directory } from "../cells/directory.ts";
import { isAlive } from "../cells/line.ts";
import type { CellState } from "../cells/measure.ts";
import { moveWorkspace } from "../cells/move.ts";
import { forgetCell, mapOf, readCells } from "../cells/register.ts";
import { findMoved } from "../workspaces/moving.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { causedByOperator } from "./running/change.ts";
import { command, date, NotFound, type Output } from "./running/command.ts";

/** A cell that reports nothing for this time is not well. */
const MAX_QUIET_MS = 20_000;
/** A cell reports every few seconds. One that reports nothing for this time, and does not listen for others, is not alive. */
const MAX_SILENCE_MS = 10_000;
const GIB = 1024 ** 3;

export function addCells(program: Command): void {
  const cell = program
    .command("cell")
    .description("Cells: installations that share a Redis, each with workspaces of its own");
  command(
    cell,
    "list",
    "List the cells, and what is where",
    async (_, __, { map, workspaces }) => {
      const cells = await readCells(sharedRedis());
      if (map) return { json: mapOf(cells), lines: mapOf(cells) };
      return showCells(cells, Boolean(workspaces));
    },
    (c) =>
      c
        .option("--workspaces", "also list the workspaces of each cell")
        .option("--map", "print the map of a proxy: a line for each name that leads to another cell by now"),
  );
  command(
    cell,
    "forget",
    "Forget a cell that is gone",
    async (_, [name], { confirm }) => {
      const redisUrl = sharedRedis();
      const directory = new Directory(redisUrl);
      const known = (await readCells(redisUrl)).find(({ cell }) => cell === name);
      const listeners = await directory.findAnew(name!);
      if (!known && !listeners.length) throw new NotFound(`There is no cell ${name}.`);
      // A process that was killed is in the directory for some seconds more.
      const isWell = listeners.length ? await isAlive(directory, name!) : Date.now() - known!.at < MAX_SILENCE_MS;
      if (isWell && confirm !== name)
        throw new Error(
          `The cell ${name} is alive, and has ${count(known?.workspaces.length ?? 0, "workspace")}. It comes back as soon as it says what it has. To forget it: --confirm ${name}`,
        );
      await directory.forget(name!);
      await forgetCell(redisUrl, name!);
      return { json: { cell: name }, lines: [`forgot ${name}`] };
    },
    (c) => c.argument("<name>", "the cell's name").option("--confirm <name>", "the cell's name, if it is alive"),
  );
}

export function addMove(workspace: Command): void {
  command(
    workspace,
    "move",
    "Move a workspace to another cell, while it is used",
    async ({ dataDir, control }, [id], { to, note }) => {
      const found = findWorkspace(control.reader, id!);
      const gone = findMoved(control.reader, id!);
      if (!found)
        throw new NotFound(
          gone ? `The workspace ${id} has moved to the cell ${gone}.` : `There is no workspace ${id}.`,
        );
      const onStep = (step: string) => process.stderr.write(`${step} …\n`);
      const redisUrl = sharedRedis();
      const directory = new Directory(redisUrl);
      const cell = await nameOfCell(to!);
      const options = { to: cell, redisUrl, cause: causedByOperator(note), onStep };
      await announced(directory, cell);
      const moved = await moveWorkspace(
        { dataDir, erasedDir: configOrExit().erasedDir, control, directory },
        found.uid,
        options,
      );
      return {
        json: moved,
        lines: [
          `moved ${found.uid}  ${found.name}  from ${moved.from} to ${moved.to}`,
          `${size(moved.bytes)} copied; it answered 503 for ${moved.stoppedMs} ms.`,
          "Requests that still come here are passed on. For the proxy's map: cell list --map",
          "What was copied is removed here in two minutes, by a process of the service.",
        ],
      };
    },
    (c) =>
      c
        .argument("<id>", "the workspace's id")
        .requiredOption(
          "--to <cell>",
          "the other cell: its name, or the address of one of its web processes",
          readCell,
        ),
  );
}

const IS_URL = /^https?:\/\//;

function readCell(text: string): string {
  if (/^[a-z][a-z0-9]{0,15}$/.test(text)) return text;
  if (URL.canParse(text) && IS_URL.test(text)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be a cell's name, or a URL that begins with http:// or https://.");
}

/** The name of the cell that has a name or an address. @throws Error when nobody answers there, or it is no cell */
async function nameOfCell(to: string): Promise<string> {
  if (!IS_URL.test(to)) return to;
  const answer = await ask(`${to}/healthz`);
  if (!("status" in answer)) throw new Error(`${to} does not answer: ${answer.reason}.`);
  const cell = answer.status === 200 ? /"cell":"([a-z0-9]+)"/.exec(answer.text)?.[1] : undefined;
  if (cell === undefined) throw new Error(`The installation at ${to} is no cell: it needs CELL and REDIS_URL.`);
  return cell;
}

/** A web process that has just started says so in a moment. */
const ANNOUNCED_MS = 5000;

/** Waits for a moment until a process of the cell has said where it listens. */
async function announced(directory: Directory, cell: string): Promise<void> {
  for (const deadline = performance.now() + ANNOUNCED_MS; performance.now() < deadline; ) {
    if ((await directory.findAnew(cell)).length) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function sharedRedis(): string {
  const { redisUrl } = configOrExit();
  if (redisUrl === undefined) throw new Error("Cells share a Redis: set REDIS_URL.");
  return redisUrl;
}

function showCells(cells: readonly CellState[], withWorkspaces: boolean): Output {
  const now = Date.now();
  const json = cells.map(({ at, workspaces, ...state }) => ({
    ...state,
    seenAt: date(at),
    isQuiet: now - at > MAX_QUIET_MS,
    workspaceCount: workspaces.length,
    ...(withWorkspaces && { workspaces }),
  }));
  const lines = json.flatMap((state) => [
    [
      state.cell.padEnd(16),
      count(state.workspaceCount, "workspace").padStart(16),
      size(state.bytes).padStart(10),
      `${size(state.freeBytes)} free of ${size(state.diskBytes)}`.padStart(26),
      count(state.unfinishedJobs, "unfinished job").padStart(20),
      state.isQuiet ? `  not heard of since ${state.seenAt}` : "",
    ]
      .join("  ")
      .trimEnd(),
    ...(state.workspaces ?? []).map(({ id, name, bytes }) => `  ${id}  ${size(bytes).padStart(10)}  ${name}`),
  ]);
  return {
    json,
    lines: lines.length ? lines : ["There are no cells: set CELL and REDIS_URL, and start a web process."],
  };
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

function size(bytes: number): string {
  return bytes < GIB ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}
