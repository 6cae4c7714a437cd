// Keeps a person from noticing that the workspace moves to another cell.

import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../base/problems.ts";
import type { Reply } from "../http/wire/reply.ts";

/** A workspace that moves is away for about a second. A person need not know, and keeps what was typed. */
const MOVE_WAIT_MS = 3000;
const MOVE_PAUSE_MS = 50;

/** Handles a request, or waits with it while its workspace moves: nothing of it has been read then. */
export function patiently(handle: () => Reply | Promise<Reply>): Reply | Promise<Reply> {
  const deadline = performance.now() + MOVE_WAIT_MS;
  const later = async (error: unknown): Promise<Reply> => {
    const isMoving = error instanceof Problem && error.code === "workspace_moving";
    if (!isMoving || performance.now() >= deadline) throw error;
    await sleep(MOVE_PAUSE_MS);
    return attempt();
  };
  const attempt = (): Reply | Promise<Reply> => {
    try {
      const reply = handle();
      return reply instanceof Promise ? reply.catch(later) : reply;
    } catch (error) {
      return later(error);
    }
  };
  return attempt();
}
