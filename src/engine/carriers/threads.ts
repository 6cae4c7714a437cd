// Carries jobs to the threads of this process, for a single node without Redis.

import type { Carrier } from "../threads/dispatch.ts";
import type { Pool } from "../threads/pool.ts";

/** Calls `onEnd` with the workspace after each run of a job. */
export function threadCarrier(pool: Pool, onEnd: (workspaceId: number) => void): Carrier {
  return {
    async deliver(head) {
      // The earlier run has put the job back and is about to end. The job is delivered again in a moment.
      if (pool.has(head.uid)) return;
      pool.run(head.uid).then(() => onEnd(head.workspace_id));
    },
    check: async () => undefined,
    close: async () => {},
  };
}
