// A job that has failed as if there were a bug in the service, and that can be retried: the bug is gone.

import { type Client, people } from "./client.ts";
import type { Service } from "./service.ts";

const WAIT_MS = 10_000;

/** An import into a screener of its own that has failed. @returns the id of its job */
export async function failedImport(service: Service, client: Client, rows: unknown[] = people(2, 40)): Promise<string> {
  const screenerId = await client.screener();
  const rename = (from: string, to: string) =>
    service.context.workspaces.writeWhenFree(client.workspaceId, WAIT_MS, (db) =>
      db.exec(`ALTER TABLE ${from} RENAME TO ${to}`),
    );
  await rename("effect", "gone");
  const { body } = await client.import(screenerId, rows, {}, { Prefer: "wait=60" });
  await rename("gone", "effect");
  if (body.code !== "internal_error") throw new Error(JSON.stringify(body));
  return body.jobId;
}
