// Carries jobs to the threads of this process: the single node, without Redis.

import type { Carrier } from "../dispatch.ts";
import type { Pool } from "../pool.ts";

/** `onEnd` is called with the workspace of every job that has been run. */
export function threadCarrier(pool: Pool, onEnd: (workspaceId: number) => void): Carrier {
  return {
    async deliver(head) {
      // A run that was under way when this one was delivered has put the job back; it is tried again in a moment.
      if (pool.has(head.uid)) return;
      pool.run(head.uid).then(() => onEnd(head.workspace_id));
    },
    check: async () => undefined,
    close: async () => {},
  };
}
