// Ends the moves whose process has died: those that were not handed over are cancelled, the others are brought to their end. Every
// process looks for them twice a second.

import type { Control } from "../../db/control.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import type { Config } from "../base/config.ts";
import type { Log } from "../base/log.ts";
import type { Pool } from "../engine/threads/pool.ts";
import type { Directory } from "./directory.ts";
import { endMove, KEPT_MS } from "./end-move.ts";
import { CellAway } from "./line.ts";
import { listOpenMoves, type MoveRow, movedAt, noteAway, takeOver } from "./moves.ts";
import { registerCell } from "./register.ts";
import { sweepMoves } from "./sweep.ts";
import { Target } from "./target.ts";

const SETTLE_MS = 500;
const HOUR_MS = 3_600_000;

interface Owner {
  /** Where other cells are. */
  directory: Directory | undefined;
  control: Control;
  presence: Presence;
  pool: Pool;
  log: Log;
}

/** Starts what a process does for its cell all the time: it ends such moves, sweeps, and says what the cell has. @returns how to end it */
export function startCellUpkeep(
  owner: Owner,
  { redisUrl }: Config,
  cell: string | null,
  isWorker: boolean,
): () => void {
  const { pool, log } = owner;
  const sweep = () => void pool.ask(sweepMoves, undefined).catch((err) => log.warn({ err }, "sweep of moves failed"));
  const timer = setInterval(sweep, HOUR_MS).unref();
  const ends = [settleMoves(owner), () => clearInterval(timer)];
  if (cell !== null && redisUrl !== undefined && !isWorker) ends.push(registerCell(redisUrl, cell, pool, log));
  return () => {
    for (const end of ends) end();
  };
}

/** @returns how to end it */
function settleMoves(owner: Owner): () => void {
  let isBusy = false;
  /** Moves of which the log has said that they could not be ended. */
  const failing = new Set<string>();
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    settleAll(owner, failing)
      .catch((err) => owner.log.warn({ err }, "a move could not be ended"))
      .finally(() => {
        isBusy = false;
      });
  }, SETTLE_MS).unref();
  return () => clearInterval(timer);
}

async function settleAll(owner: Owner, failing: Set<string>): Promise<void> {
  const { control, presence } = owner;
  for (const move of listOpenMoves(control.reader)) {
    const isOurs = move.mover === presence.name;
    if (!isOurs && presence.isAlive(move.mover)) continue;
    if (!isOurs && !(await whenFree(control.writer, 1000, () => takeOver(control.writer, move, presence.name))))
      continue;
    // One whose cell does not answer must not keep the others waiting.
    try {
      await settle(owner, move);
      failing.delete(move.uid);
    } catch (err) {
      if (!failing.has(move.uid))
        owner.log.warn({ err, workspace: move.workspace_uid, to: move.cell }, "a move could not be ended");
      failing.add(move.uid);
      const isAway = err instanceof CellAway;
      if (isAway !== Boolean(move.is_away))
        await whenFree(control.writer, 1000, () => noteAway(control.writer, move, isAway));
    }
  }
}

async function settle({ control, pool, log, directory }: Owner, move: MoveRow): Promise<void> {
  const target = new Target({ directory, ...move });
  const about = { workspace: move.workspace_uid, to: move.cell };
  const end = (ending: "CANCEL" | "ARRIVE" | "CLEAN") => pool.ask(endMove, { move, ending });
  const isCopying = move.status === "COPYING";
  if (isCopying && !(await hasGoneOn(target, move))) {
    await end("CANCEL");
    log.warn(about, "a move was cancelled, because its process has died");
    return;
  }
  if (isCopying || move.status === "HANDED_OVER") {
    if (!(await target.activate())) {
      await end("CANCEL");
      log.warn(about, "a move was cancelled, because the other cell has forgotten it");
      return;
    }
    await end("ARRIVE");
  }
  const arrivedAt = movedAt(control.reader, move.workspace_uid) ?? 0;
  if (Math.abs(Date.now() - arrivedAt) < KEPT_MS) return;
  await end("CLEAN");
  log.info(about, "a move was brought to its end");
}

/**
 * Whether the workspace has arrived, though nobody here knows of it: so it may be after this cell was restored from an older copy.
 * Then only the other cell knows. @throws Error when it does not answer
 */
async function hasGoneOn(target: Target, { token, is_restored }: MoveRow): Promise<boolean> {
  // The other cell was not asked yet.
  if (!token) return false;
  const isCancelled = target.cancel();
  return !(await (is_restored ? isCancelled : isCancelled.catch(() => true)));
}
