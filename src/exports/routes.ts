// The export of a screener's responses as one table, and its codebook.

import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { csvHead, csvLines } from "../base/csv.ts";
import { exampleIds } from "../base/examples.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import { downloadOf, recordDownload } from "../http/downloads.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, type Reply } from "../http/endpoint.ts";
import { inTurn } from "../http/in-turn.ts";
import { attachmentOf, streamed, tableOf } from "../http/list-stream.ts";
import { workspaceSource } from "../http/lists.ts";
import { MEDIA_TYPES } from "../http/wire/formats.ts";
import { shown } from "../languages/counted.ts";
import { screener } from "../nouns/screeners/resource.ts";
import { CODEBOOK_HEADINGS, MAX_CODEBOOK_LENGTH, writeCodebook } from "./codebook.ts";
import { sessionFilters } from "./filters.ts";
import { MAX_COLUMNS, type NoPlan, planTable, type WantedTable } from "./plan.ts";
import { CHOICES, HEADINGS, type Layout } from "./questions.ts";
import { writeSpss } from "./spss.ts";
import { exportTable } from "./table.ts";
import { MAX_WORKBOOK_CELLS, writeWorkbook } from "./workbook.ts";

const oneOf = <Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(", ")}`);

const layoutEntries = {
  headings: v.optional(
    v.pipe(
      oneOf(HEADINGS),
      v.description(
        "The heading of a question without a key. `KEYS` (the default): its id. `READABLE`: one that is made from the first words of its " +
          "prompt, such as `how_old_are_you`",
      ),
    ),
  ),
  choices: v.optional(
    v.pipe(
      oneOf(CHOICES),
      v.description(
        "Questions of which several options can be chosen. `JOINED` (the default): all in one cell. `COLUMNS`: a column for each option, " +
          "with 1 if it was chosen and 0 if not, and one for what was written in",
      ),
    ),
  ),
};

const layout = v.object(layoutEntries);

const tableParameters = v.object({
  ...layoutEntries,
  includeTests: v.optional(
    v.pipe(
      oneOf(["true", "false"]),
      v.description(
        "`true`: test sessions, too, after all others, and a column `session.isTest`. Else they are left out",
      ),
    ),
  ),
  includeWithdrawn: v.optional(
    v.pipe(
      oneOf(["true", "false"]),
      v.description(
        "`true`: also sessions whose participants have withdrawn, and a column `session.withdrawnAt`. Else they are left out",
      ),
    ),
  ),
});

const table = defineEndpoint({
  method: "get",
  path: "/screeners/:id/export",
  operationId: "exportScreenerResponses",
  scopes: ["read"],
  tag: "Responses",
  summary: "Export a screener's responses as one table",
  description:
    "One row for each session that was started, in the order in which they were opened. Sessions that were archived or removed " +
    "later are included; see `session.status`. The first columns are `session.id`, `participant.externalUid`, `participant.id`, " +
    "`publication.version`, `publication.id`, `session.status`, `session.state`, `session.outcome`, `session.outcomeReason`, " +
    "`session.startedAt`, `session.lastActiveAt` and `session.completedAt`; then, of an outcome that somebody has set, " +
    "`session.judgedOutcome`, `session.overriddenBy`, `session.overrideReason` and `session.overriddenAt`; then `session.language`, and `session.link`, the name of the open link; then, of a review, `session.review`, `session.reviewedBy`, `session.reviewReason` and `session.reviewedAt`; and `session.signals`, the kinds of signals. Then there is a column for each question: those of the " +
    "newest publication in their order, then those that only older ones have. Its heading is the question's key, or its id if it has " +
    "no key. Questions of several publications share a column if they have the same id or the same key; its heading is the newest " +
    "key. Then there is a column `quotas.<name>` for each quota: `TAKEN` or `HELD` where the session has a place in it; and a column `arms.<name>` for each assignment, with the name of the arm that the session was given; and a column `orders.<key>` for each list that is shuffled, with the positions that the items have in the content, in the order shown. The last columns are `attributes.<key>`, one for each key that the workspace's participants have. A cell is empty if the question was skipped, not shown, or not asked. Chosen options are joined by `; `, and ` (write-in)` " +
    "follows what the participant wrote.\n\n" +
    `A table has at most ${shown(MAX_COLUMNS)} columns. A file of Excel has the codebook as a second sheet, and at ` +
    `most ${shown(MAX_WORKBOOK_CELLS)} cells.\n\n` +
    "As `application/x-spss-syntax` it is a zip of a CSV and the syntax that reads it into SPSS or PSPP, with labels of variables and values, levels of " +
    "measurement and missing values. Then `headings` and `choices` have no effect: a chosen option is a number, several are variables of 0 and 1, and -99 is a " +
    "question that was shown and skipped.",
  formats: ["csv", "xlsx", "spss"],
  filters: sessionFilters,
  parameters: tableParameters,
  replies: { 200: { description: "The table, as a file", schema: v.string() } },
  examples: {
    table: {
      reply:
        "\uFEFFsession.id,participant.externalUid,participant.id,publication.version,publication.id,session.status," +
        "session.state,session.outcome,session.outcomeReason,session.startedAt,session.lastActiveAt,session.completedAt," +
        "session.judgedOutcome,session.overriddenBy,session.overrideReason,session.overriddenAt,session.language,session.link," +
        "session.review,session.reviewedBy,session.reviewReason,session.reviewedAt,session.signals," +
        `age,drink\r\n${exampleIds.session},P-17,${exampleIds.participant},1,${exampleIds.publication},ACTIVE,` +
        "COMPLETED,QUALIFIED,,2026-01-31T12:00:00.000Z,2026-01-31T12:02:00.000Z,2026-01-31T12:02:00.000Z,,,,,en,,,,,,,36,Tea\r\n",
    },
  },
  problems: ["screener_not_found", "export_too_large"],
  async handle(request) {
    const { format } = request;
    if (format === "xlsx" || format === "spss") return fileOf(request, format);
    const { context, principal } = request;
    const { filters, asked } = request.query;
    const ask = () => context.pool.ask(planTable, { ...wantedOf(request), asked });
    const plan = await context.turns.inThread(principal.workspaceUid, ask);
    if (isNoPlan(plan)) throw refusal(plan);
    const source = { ...workspaceSource(request), ...downloadOf(request, answersOf(request)) };
    const wanted = { filters, ids: plan.ids, ...included(request) };
    const { headings, rows } = source.read((db) => exportTable(db, request.params.id!, plan, wanted));
    return streamed(tableOf(headings, rows, source), "csv", nameOf(request, plan, "responses"));
  },
});

const codebook = defineEndpoint({
  method: "get",
  path: "/screeners/:id/codebook",
  operationId: "getScreenerCodebook",
  scopes: ["read"],
  tag: "Responses",
  summary: "Say what the columns of the export mean",
  description:
    "A row for each column of the export that belongs to a session or to a question, with the same `headings` and `choices`; for a question with options, and " +
    "for an assignment to arms, a row for each of them. `type` says what is in the cells: `text`, `number`, `one option`, `several options`, `1 or 0`, or `one arm`. Columns of orders have a row for each item, with its position.",
  formats: ["csv"],
  parameters: layout,
  replies: { 200: { description: "The codebook, as a file", schema: v.string() } },
  examples: {
    codebook: {
      reply:
        csvHead(CODEBOOK_HEADINGS) +
        csvLines([["age", "How old are you?", "number", "", "About you", "1", "age", exampleIds.ageQuestion]]),
    },
  },
  problems: ["screener_not_found", "export_too_large"],
  async handle(request) {
    const { context } = request;
    const written = await inTurn(request, "export", () => context.pool.ask(writeCodebook, wantedOf(request)));
    if (isNoPlan(written)) throw refusal(written);
    const { rows } = written;
    await recordDownload(request, { ...answersOf(request), data: "CODEBOOK" }, { rows, isWhole: true });
    return {
      status: 200,
      type: MEDIA_TYPES.csv,
      body: written.csv,
      attachment: attachmentOf(nameOf(request, written, "codebook"), "csv"),
    };
  },
});

export const exportRoutes: AnyEndpoint[] = [table, codebook];

type ExportRequest = ApiRequest<unknown, v.InferOutput<typeof layout>>;
type TableRequest = ApiRequest<unknown, v.InferOutput<typeof tableParameters>>;

/** A download of a screener's answers. */
export function answersOf({ params }: ApiRequest<unknown, unknown>) {
  return { data: "ANSWERS", resource: { type: screener.type, uid: params.id! }, rules: sessionFilters } as const;
}

function included({ parameters }: TableRequest) {
  return {
    includesTests: parameters?.includeTests === "true",
    includesWithdrawn: parameters?.includeWithdrawn === "true",
  };
}

function wantedOf(request: ExportRequest): WantedTable {
  const { params, principal } = request;
  return { workspaceUid: principal.workspaceUid, screenerUid: params.id!, layout: layoutOf(request) };
}

type Refused = NoPlan | "tooLarge" | "tooLong";

function isNoPlan<Made>(made: Made | Refused): made is Refused {
  return typeof made === "string" || (typeof made === "object" && made !== null && "errors" in made);
}

function refusal(reason: Refused): Problem {
  if (typeof reason === "object") return invalidRequest(reason.errors);
  switch (reason) {
    case "missing":
      return new Problem("screener_not_found");
    case "tooLarge":
      return new Problem("export_too_large");
    case "tooManyColumns": {
      const most = shown(MAX_COLUMNS);
      const detail = `The table would have more than ${most} columns. Ask for choices=JOINED, or list the responses.`;
      return new Problem("export_too_large", { detail });
    }
    case "tooLong": {
      const detail = `The codebook would have more than ${shown(MAX_CODEBOOK_LENGTH)} characters.`;
      return new Problem("export_too_large", { detail });
    }
  }
}

/** A file that a thread writes: of Excel, or for SPSS. */
async function fileOf(request: TableRequest, format: "xlsx" | "spss"): Promise<Reply> {
  const { context, query, principal } = request;
  const file = `${randomUUID()}.${format === "spss" ? "zip" : format}`;
  const path = join(context.config.dataDir, "tmp", file);
  try {
    const rows = { filters: query.filters, asked: query.asked, ...included(request) };
    const wanted = { ...wantedOf(request), ...rows, file, hidesLinks: principal.hidesLinks };
    const write = () =>
      format === "spss" ? context.pool.ask(writeSpss, wanted) : context.pool.ask(writeWorkbook, wanted);
    const made = await inTurn(request, "export", write);
    if (isNoPlan(made)) throw refusal(made);
    await recordDownload(request, answersOf(request), { rows: made.rows, isWhole: true });
    const handle = await open(path);
    return {
      status: 200,
      type: MEDIA_TYPES[format],
      body: handle.createReadStream(),
      attachment: attachmentOf(nameOf(request, made, "responses"), format),
    };
  } finally {
    // A reader that has the file open can still read it.
    await rm(path, { force: true });
  }
}

function layoutOf({ parameters: { headings = "KEYS", choices = "JOINED" } = {} }: ExportRequest): Layout {
  return { headings, choices };
}

function nameOf({ params }: ExportRequest, { title }: { title: string | null }, what: string): string {
  return `${fileName(title ?? "") || params.id}-${what}`;
}

/** A title without characters that file systems don't allow. */
export function fileName(title: string): string {
  return title
    .replace(/[\p{C}\\/:*?"<>|%\s]+/gu, " ")
    .trim()
    .slice(0, 80)
    .toWellFormed()
    .trim();
}
