// Submits jobs in a thread of its own, so that the thread that measures reads does nothing else.

import { workerData } from "node:worker_threads";
import { Caller, type Payload } from "./caller.ts";
import { submit } from "./service.ts";

/** What the thread gets. `file`: the body of an import, or of a dry run. */
export interface JobsOfThread {
  url: string;
  headers: Record<string, string>;
  file: Payload;
  jobs: "import" | "plan, apply, undo";
}

const { url, headers, file, jobs } = workerData as JobsOfThread;

const caller = new Caller(url, headers);
const path = "/screener-participants-import";
if (jobs === "import") await submit(caller, path, { file });
else {
  const { id } = await submit(caller, path, { file }, "PLANNED");
  await submit(caller, `/jobs/${id}/apply`);
  await submit(caller, `/jobs/${id}/undo`);
}
caller.close();
