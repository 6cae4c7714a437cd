// Waits for jobs.

import type { Client, Ending } from "./client.ts";
import { pause } from "./send.ts";
import type { Job } from "./types.ts";

export interface Waiting extends Ending {
  /** Called with the job about once a second, and when it has ended. */
  onProgress?: ((job: Job) => void) | undefined;
  /** Ends the waiting. The job goes on: `client.delete("/jobs/{id}", …)` cancels it. */
  signal?: AbortSignal | undefined;
}

/** How long a request waits for the end of a job: shorter than proxies do. */
const WAIT_SECONDS = 30;

/**
 * Waits until a job has ended, or is a plan.
 * @returns the job, whether it did its work or not
 * @throws as `Client.call`
 */
export async function waitForJob(client: Client, id: string, { onProgress, ...ending }: Waiting = {}): Promise<Job> {
  const seconds = onProgress ? 1 : WAIT_SECONDS;
  for (;;) {
    const { body, headers } = await client.call("get", "/jobs/{id}", {
      path: { id },
      headers: { Prefer: `wait=${seconds}` },
      ...ending,
    });
    onProgress?.(body);
    if (body.finishedAt !== null) return body;
    // Nobody has waited, for example because the service shuts down.
    if (!headers.get("Preference-Applied")) await pause(1000 * Number(headers.get("Retry-After") ?? 1), ending.signal);
  }
}
