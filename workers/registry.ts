// Every kind of job and its verb, on one screen.

import type { JobKind } from "../src/jobs/define-job.ts";
import { importJob } from "../src/screener-participants/job.ts";
import { publicationJob } from "../src/screener-publications/job.ts";
import { openingJob } from "../src/screener-sessions/job.ts";

export const kinds: ReadonlyMap<string, JobKind> = new Map(
  [importJob as JobKind, publicationJob as JobKind, openingJob as JobKind].map((kind) => [kind.kind, kind]),
);
