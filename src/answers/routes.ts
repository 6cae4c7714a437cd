// /screeners/{id}/answers: the answers to a study as a table, filtered.

import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Slices } from "../../db/list/slices.ts";
import { exampleIds } from "../base/examples.ts";
import type { Cell } from "../base/members.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import { count, uuid } from "../base/schemas.ts";
import { sessionFilters } from "../exports/filters.ts";
import { answersOf, fileName } from "../exports/routes.ts";
import { downloadOf, recordDownload } from "../http/downloads.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok, type Reply } from "../http/endpoint.ts";
import { inTurn } from "../http/in-turn.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../http/list-query.ts";
import { attachmentOf, ndjsonOf, streamed, tableOf } from "../http/list-stream.ts";
import { workspaceSource } from "../http/lists.ts";
import { MEDIA_TYPES } from "../http/wire/formats.ts";
import { Column, listColumns } from "./catalogue.ts";
import { chosenColumns } from "./chosen.ts";
import { type AnswerColumn, type AnsweredSession, cellIn } from "./columns.ts";
import {
  type FoundAnswers,
  findAllAnswers,
  indexAnswers,
  itemOf,
  type NoAnswers,
  ROWS_AT_ONCE,
  readAnswers,
  rowsOf,
  type WantedAnswers,
} from "./read.ts";
import { writeAnswersWorkbook } from "./workbook.ts";

const SORTS = ["-startedAt", "startedAt"] as const;

const Answers = v.pipe(
  v.object({
    _type: v.literal("ScreenerAnswers"),
    screenerSessionId: uuid,
    participantId: uuid,
    values: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description(
        "By the names of columns. An answer is as in a response, and null where the question was skipped. Where it was not shown or not asked, and of " +
          "an attribute that the participant lacks, there is no value",
      ),
    ),
  }),
  v.title("ScreenerAnswers"),
);

const AnswersPage = v.pipe(
  v.object({
    _type: v.literal("PaginatedScreenerAnswers"),
    total: v.pipe(count, v.description("The number of all matching sessions")),
    limit: v.pipe(count, v.maxValue(MAX_LIMIT)),
    offset: count,
    columns: v.array(
      v.pipe(
        v.object({
          column: v.string(),
          label: v.pipe(v.string(), v.description("What people call it; of a question, its prompt")),
          questionType: v.nullable(v.string()),
        }),
        v.title("ScreenerAnswersColumn"),
      ),
    ),
    items: v.array(Answers),
  }),
  v.title("PaginatedScreenerAnswers"),
);

const parameters = v.object({ columns: v.optional(chosenColumns) });

const example = {
  _type: "PaginatedScreenerAnswers",
  ...{ total: 1, limit: DEFAULT_LIMIT, offset: 0 },
  columns: [
    { column: "participant.externalUid", label: "Id", questionType: null },
    { column: "answers.age", label: "How old are you?", questionType: "ScreenerNumericQuestion" },
  ],
  items: [
    {
      _type: "ScreenerAnswers",
      screenerSessionId: exampleIds.session,
      participantId: exampleIds.participant,
      values: { "participant.externalUid": "P-17", "answers.age": 36 },
    },
  ],
};

const table = defineEndpoint({
  method: "get",
  path: "/screeners/:id/answers",
  operationId: "listScreenerAnswers",
  scopes: ["read"],
  tag: "Responses",
  summary: "List answers, a row for each session",
  description:
    "A row for each session that has started, by the time of its first answer, the newest first. Sessions of tests, and of people who were removed " +
    "or have withdrawn, are left out. Filters by answers name a question by its key or its id, over all versions, and a row of a " +
    "matrix behind a point: `filter[answers.age][gte]=18`, `filter[answers.drink][in][]=Tea`. They compare as rules do: where a question was not " +
    "answered, only the opposites `ne`, `nin` and `notContains` hold. " +
    "JSON is one page; CSV, NDJSON and Excel have all rows, with the chosen columns.",
  formats: ["json", "csv", "ndjson", "xlsx"],
  filters: sessionFilters,
  sorts: SORTS,
  parameters,
  replies: { 200: { description: "One page, the newest first; or the whole table", schema: AnswersPage } },
  examples: {
    page: { query: { columns: "participant.externalUid,answers.age" }, reply: example },
  },
  problems: ["screener_not_found", "export_too_large"],
  async handle(request) {
    if (request.format === "xlsx") return workbook(request);
    const { context, principal, query } = request;
    const wanted = wantedOf(request);
    const recorded = downloadOf(request, answersOf(request));
    if (request.format === "json") {
      const ask = () => context.pool.ask(readAnswers, { ...wanted, page: query.page });
      const read = await context.turns.inThread(principal.workspaceUid, ask);
      if (!("json" in read)) throw refusal(read);
      if (read.lacking.length) indexLater(request, read.lacking);
      recorded.shown(read.rows);
      return ok(read.json);
    }
    const found = await inTurn(request, "export", () => context.pool.ask(findAllAnswers, wanted));
    if (!("ids" in found)) throw refusal(found);
    const source = { ...workspaceSource(request), ...recorded };
    const { columns } = found;
    if (request.format === "ndjson") {
      const items = slicesOf(found, (row) => JSON.stringify(itemOf(row, columns)));
      return streamed(ndjsonOf(items, source), "ndjson", nameOf(request, found));
    }
    const rows = slicesOf(found, (row): Cell[] => columns.map((column: AnswerColumn) => cellIn(column, row)));
    const headings = columns.map(({ name }) => name);
    return streamed(tableOf(headings, rows, source), "csv", nameOf(request, found));
  },
});

const columns = defineEndpoint({
  method: "get",
  path: "/screeners/:id/answer-columns",
  operationId: "listScreenerAnswerColumns",
  scopes: ["read"],
  tag: "Responses",
  summary: "List the columns that a table of answers can have",
  description: "Of the study, over all its versions: of questions as in the newest version that has them.",
  replies: {
    200: {
      description: "The columns",
      schema: v.pipe(
        v.object({ _type: v.literal("ScreenerAnswerColumns"), items: v.array(Column) }),
        v.title("ScreenerAnswerColumns"),
      ),
    },
  },
  examples: {
    columns: {
      reply: {
        _type: "ScreenerAnswerColumns",
        items: [
          {
            ...{ column: "answers.age", label: "How old are you?", questionType: "ScreenerNumericQuestion" },
            page: "About you",
            operators: ["eq", "ne", "in", "nin", "lt", "lte", "gt", "gte", "answered"],
            options: [],
          },
        ],
      },
    },
  },
  problems: ["screener_not_found"],
  async handle({ context, principal: { workspaceUid }, params }) {
    const ask = () => context.pool.ask(listColumns, { workspaceUid, screenerUid: params.id! });
    const listed = await context.turns.inThread(workspaceUid, ask);
    if ("missing" in listed) throw new Problem("screener_not_found");
    return ok(listed.json);
  },
});

export const answersRoutes: AnyEndpoint[] = [table, columns];

type AnswersRequest = ApiRequest<unknown, v.InferOutput<typeof parameters>>;

function wantedOf({ params, principal, query, parameters }: AnswersRequest): WantedAnswers {
  return {
    workspaceUid: principal.workspaceUid,
    screenerUid: params.id!,
    columns: parameters?.columns,
    filters: query.filters,
    asked: query.asked ?? [],
    isOldestFirst: query.sort === "startedAt",
  };
}

/** Nobody waits for it: a search finds the same without the index. */
function indexLater({ context, principal: { workspaceUid } }: AnswersRequest, questionIds: number[]): void {
  const ask = () => context.pool.ask(indexAnswers, { workspaceUid, questionIds });
  context.oneAtATime.run(`index ${workspaceUid}`, ask).catch((err: unknown) => {
    context.log.error({ err, workspace: workspaceUid }, "answers could not be indexed");
  });
}

function refusal(found: NoAnswers): Problem {
  return "errors" in found ? invalidRequest(found.errors) : new Problem("screener_not_found");
}

/** The rows of the sessions that were found, as they are when they are read. */
function slicesOf<Item>({ ids }: FoundAnswers, make: (row: AnsweredSession) => Item): Slices<Item> {
  let at = 0;
  return {
    next(db) {
      if (at >= ids.length) return undefined;
      at += ROWS_AT_ONCE;
      return rowsOf(db, ids.slice(at - ROWS_AT_ONCE, at)).map(make);
    },
  };
}

async function workbook(request: AnswersRequest): Promise<Reply> {
  const { context, principal } = request;
  const file = `${randomUUID()}.xlsx`;
  const path = join(context.config.dataDir, "tmp", file);
  try {
    const wanted = { ...wantedOf(request), file, hidesLinks: principal.hidesLinks };
    const written = await inTurn(request, "export", () => context.pool.ask(writeAnswersWorkbook, wanted));
    if (written === "tooLarge") throw new Problem("export_too_large");
    if (!("title" in written)) throw refusal(written);
    await recordDownload(request, answersOf(request), { rows: written.rows, isWhole: true });
    const handle = await open(path);
    return {
      status: 200,
      type: MEDIA_TYPES.xlsx,
      body: handle.createReadStream(),
      attachment: attachmentOf(nameOf(request, written), "xlsx"),
    };
  } finally {
    // A reader that has the file open can still read it.
    await rm(path, { force: true });
  }
}

function nameOf({ params }: AnswersRequest, { title }: { title: string | null }): string {
  return `${fileName(title ?? "") || params.id}-answers`;
}
