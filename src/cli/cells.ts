// The commands of cells: which there are, what is where, and how a workspace goes from one to another.

import { type Command, InvalidArgumentError } from "commander";
import type { CellState } from "../cells/measure.ts";
import { moveWorkspace } from "../cells/move.ts";
import { forgetCell, mapOf, readCells } from "../cells/register.ts";
import { configOrExit } from "../config.ts";
import { findMoved } from "../workspaces/moving.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { causedByOperator } from "./change.ts";
import { command, date, NotFound, type Output } from "./command.ts";

/** A cell that says nothing for so long is not well. */
const MAX_QUIET_MS = 20_000;
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
    async (_, [name]) => {
      if (!(await forgetCell(sharedRedis(), name!))) throw new NotFound(`There is no cell ${name}.`);
      return { json: { cell: name }, lines: [`forgot ${name}`] };
    },
    (c) => c.argument("<name>", "the cell's name"),
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
      if (!found) throw new NotFound(gone ? `The workspace ${id} has moved: ${gone}` : `There is no workspace ${id}.`);
      const onStep = (step: string) => process.stderr.write(`${step} …\n`);
      const options = { url: to!, redisUrl: sharedRedis(), cause: causedByOperator(note), onStep };
      const moved = await moveWorkspace({ dataDir, control }, found.uid, options);
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
        .requiredOption("--to <url>", "the other cell: the address of one of its web processes", readUrl),
  );
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be a URL that begins with http:// or https://.");
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
