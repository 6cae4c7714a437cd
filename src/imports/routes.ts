// /screener-participants-import

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import { JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import {
  assignment,
  FILE_FORMATS,
  FileParameters,
  type ImportPayload,
  ParticipantImport,
} from "../nouns/screener-participants/resource.ts";
import { replyWithJob, submitSpooledJob } from "../writes/submit-job.ts";
import { importJob } from "./job.ts";
import { IMPORTING } from "./kinds.ts";

const importParticipants = defineEndpoint({
  method: "post",
  path: "/screener-participants-import",
  operationId: "importScreenerParticipants",
  scopes: ["import"],
  tag: "Screener participants",
  summary: "Import participants into a screener",
  description:
    "Creates and changes participants, and assigns them to the screener. If one row is wrong, nothing is imported. Rows are " +
    'matched by `externalUid`, or with `matchBy: "email"` by their emails: then no row has an `externalUid`, and new participants get one. For a participant who exists, `email` and `name` may be null or left out, and then do not ' +
    "change. `FULL_SYNC` also removes the screener's participants that are not in the payload; if those are more than " +
    "`maxRemovals`, nothing is changed, and the job ends as a plan. With `dryRun` it ends as a plan in any case.",
  isJob: true,
  streamsBody: true,
  body: ParticipantImport,
  parameters: FileParameters,
  bodyFormats: ["json", ...FILE_FORMATS],
  replies: {
    200: {
      description: "One screener participant per row, in the same order",
      schema: v.union([v.array(assignment.schema), JobReference]),
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    roster: {
      body: {
        screenerId: exampleIds.screener,
        importMode: "UPDATES_ONLY",
        participants: [{ externalUid: "P-17", email: "ada@example.org", name: "Ada Lovelace" }],
      },
      reply: [assignment.example],
    },
    later: {
      summary: "Import without waiting",
      headers: { Prefer: "respond-async" },
      body: {
        screenerId: exampleIds.screener,
        participants: [{ externalUid: "P-18", email: "grace@example.org", name: "Grace Hopper" }],
      },
      status: 202,
      reply: exampleJob,
    },
  },
  problems: [
    "screener_not_found",
    "email_taken",
    "removal_limit_exceeded",
    "row_count_differs",
    "import_budget_exceeded",
  ],
  async handle(request) {
    const job = await submitSpooledJob(request, importJob, fileOf(request), IMPORTING);
    return replyWithJob(request, job, (body) => ({ status: 200, body }));
  },
});

export const importRoutes: AnyEndpoint[] = [importParticipants];

/** The format and the settings of a file; empty for JSON. @throws Problem 400 for parameters that are only for CSV */
function fileOf({
  bodyFormat: format,
  parameters,
}: ApiRequest<unknown, v.InferOutput<typeof FileParameters>>): ImportPayload {
  if (format === "json" || !parameters) return {};
  const { columns = {}, attributes, decimals } = parameters;
  const forCsv = [
    ...Object.keys(columns).map((heading) => `columns[${heading}]`),
    ...(attributes ? ["attributes"] : []),
    ...(decimals ? ["decimals"] : []),
  ];
  // It takes no other file.
  if (format === "xliff") throw new Problem("unsupported_media_type");
  if (format !== "csv" && forCsv.length)
    throw invalidRequest(forCsv.map((pointer) => ({ pointer, message: "is only for text/csv" })));
  return { format, ...parameters };
}
