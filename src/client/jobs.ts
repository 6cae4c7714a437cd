// Waits for jobs.

import type { Client, Ending } from "./client.ts";
import { pause } from "./send.ts";
import type { Job } from "./types.ts";

/** `J` is the type of the job that is waited for, where its kind is known. */
export interface Waiting<J extends Job = Job> extends Ending {
  /** Called with the job about once a second, and when it has ended. */
  onProgress?: ((job: J) => void) | undefined;
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
export async function waitForJob<J extends Job = Job>(
  client: Client,
  id: string,
  { onProgress, ...ending }: Waiting<J> = {},
): Promise<J> {
  const seconds = onProgress ? 1 : WAIT_SECONDS;
  for (;;) {
    const { body, headers } = await client.call("get", "/jobs/{id}", {
      path: { id },
      headers: { Prefer: `wait=${seconds}` },
      ...ending,
    });
    const job = body as J;
    onProgress?.(job);
    if (job.finishedAt !== null) return job;
    // Nobody has waited, for example because the service shuts down.
    if (!headers.get("Preference-Applied")) await pause(1000 * Number(headers.get("Retry-After") ?? 1), ending.signal);
  }
}
