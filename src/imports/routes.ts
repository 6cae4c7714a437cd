// /screener-participants-import

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import { JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import {
  FILE_FORMATS,
  FileParameters,
  type ImportPayload,
  ParticipantImport,
} from "../nouns/screener-participants/import-settings.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import { replyWithJob, submitSpooledJob } from "../writes/submit-job.ts";
import { importJob } from "./job.ts";
import { IMPORTING } from "./kinds.ts";
import { writeSheet } from "./workbook-task.ts";

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
  bodyFormats: ["json", ...FILE_FORMATS, "xlsx"],
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
    const file = fileOf(request);
    const convert = request.bodyFormat === "xlsx" ? sheetWriter(request, file) : undefined;
    const job = await submitSpooledJob(request, importJob, file, IMPORTING, convert);
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
  const { columns = {}, attributes, decimals, dates, sheet } = parameters;
  const forTables = [
    ...Object.keys(columns).map((heading) => `columns[${heading}]`),
    ...Object.entries({ attributes, decimals, dates }).flatMap(([name, value]) => (value ? [name] : [])),
  ];
  // It takes no other file.
  if (format === "xliff") throw new Problem("unsupported_media_type");
  const errors = [
    ...(format === "ndjson" ? forTables : []).map((pointer) => ({
      pointer,
      message: "is only for text/csv and workbooks",
    })),
    ...(format !== "xlsx" && sheet !== undefined ? [{ pointer: "sheet", message: "is only for workbooks" }] : []),
  ];
  if (errors.length) throw invalidRequest(errors);
  // What is kept of a workbook is the CSV of a sheet.
  return { format: format === "xlsx" ? "csv" : format, ...parameters };
}

/** Writes the sheet of a workbook that has come in. The job keeps its name. @throws Problem 400 */
function sheetWriter({ context }: ApiRequest<unknown>, file: ImportPayload) {
  return async (from: string, to: string) => {
    const { sheet, decimals } = file;
    const maxBytes = context.config.importMaxBytes;
    const written = await context.pool.ask(writeSheet, { from, to, sheet, decimals, maxBytes });
    if ("errors" in written) throw invalidRequest(written.errors);
    return { bytes: written.bytes, payload: { ...file, sheet: written.sheet } };
  };
}
