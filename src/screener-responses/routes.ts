// /screener-responses, and a screener's as one table

import * as v from "valibot";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { streamed, tableOf, takeAll } from "../http/list-stream.ts";
import { defineList, workspaceSource } from "../http/lists.ts";
import { getScreener } from "../screeners/queries.ts";
import { exportHeadings, exportRows, QuestionColumns } from "./export.ts";
import { responseList } from "./resource.ts";

const list = defineList(responseList, {
  path: "/screener-responses",
  operationId: "listScreenerResponses",
  tag: "Responses",
  summary: "List responses",
});

const table = defineEndpoint({
  method: "get",
  path: "/screeners/:id/export",
  operationId: "exportScreenerResponses",
  tag: "Responses",
  summary: "Export a screener's responses as one table",
  description:
    "A row a session that was started, in the order in which they were opened; also those that were archived or removed since, which " +
    "their status tells. First `session.id`, `participant.externalUid`, `participant.id`, `publication.version`, `publication.id`, " +
    "`session.status`, `session.state`, `session.outcome`, `session.outcomeReason`, `session.startedAt`, `session.lastActiveAt` and " +
    "`session.completedAt`; then a column for each question of all publications: in the order of the newest one, then those that " +
    "only older ones have. Its heading is the question's key, else its id. Questions of several publications share a column when they " +
    "have the same id or the same key, under the newest key. A cell is empty where the question was skipped, not shown, or not asked. " +
    "Chosen options are joined by `; `, and ` (write-in)` follows what the participant wrote.",
  formats: ["csv"],
  replies: { 200: { description: "The table, as a file", schema: v.string() } },
  problems: ["screener_not_found"],
  async handle(request) {
    const source = workspaceSource(request);
    const { screener, columns } = source.read((db) => {
      const found = getScreener(db, request.params.id!);
      return { screener: found, columns: new QuestionColumns(db, found.id) };
    });
    for await (const _ of takeAll(columns, source));
    const rows = source.read((db) => exportRows(db, screener.uid, columns));
    const name = `${fileName(screener.title ?? "") || screener.uid}-responses`;
    return streamed(tableOf(exportHeadings(columns), rows, source), "csv", name);
  },
});

export const responseRoutes: AnyEndpoint[] = [list, table];

/** A title without what file systems don't take. */
function fileName(title: string): string {
  return title
    .replace(/[\p{C}\\/:*?"<>|%\s]+/gu, " ")
    .trim()
    .slice(0, 80)
    .toWellFormed()
    .trim();
}
