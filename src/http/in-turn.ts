// Long work of a thread that a request waits for, one piece at a time.

import { Problem } from "../base/problems.ts";
import type { ApiRequest } from "./endpoint.ts";

export type Turn = "export" | "forecast" | "feasibility";

/** One piece of a kind is done at a time, and each workspace has at most one in the queue: so no workspace waits long for another. */
export function inTurn<Answer>(
  { context, incoming, principal }: Pick<ApiRequest, "context" | "incoming" | "principal">,
  kind: Turn,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { oneAtATime, turns } = context;
  const { workspaceUid } = principal;
  return oneAtATime.run(`${kind} ${workspaceUid}`, async () => {
    // If the client has closed the connection, nobody reads the answer.
    if (incoming.socket.destroyed) throw new Problem("request_timeout", { detail: "The caller has gone." });
    return oneAtATime.run(kind, () => turns.inThread(workspaceUid, ask));
  });
}
