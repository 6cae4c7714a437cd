// Imports in a thread of its own, so that the thread that measures reads does nothing else.

import { workerData } from "node:worker_threads";
import { Caller, type Payload } from "./caller.ts";
import { importFile } from "./service.ts";

const { url, headers, file } = workerData as {
  url: string;
  headers: Record<string, string>;
  file: Payload;
};

const caller = new Caller(url, headers);
await importFile(caller, file);
caller.close();
