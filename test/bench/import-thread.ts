// Imports in a thread of its own: who measures reads meanwhile has nothing else to do.

import { workerData } from "node:worker_threads";
import { Caller } from "./caller.ts";
import { importFile } from "./service.ts";

const { url, headers, file } = workerData as {
  url: string;
  headers: Record<string, string>;
  file: { path: string; bytes: number };
};

const caller = new Caller(url, headers);
await importFile(caller, file);
caller.close();
