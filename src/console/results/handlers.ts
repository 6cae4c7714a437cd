// The page with a study's results, and the table of all answers.

import { attributeKeys } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import type { ScreenerResults } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { askedIn, parametersOfFilter } from "../filters/asked.ts";
import { filtersInWords } from "../filters/names.ts";
import { PLACE_STATES } from "../quotas/words.tsx";
import { inWords } from "../shell/known-words.ts";
import { offsetOf, page, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderResults } from "./page.tsx";

/** How many questions are on a page. */
const QUESTIONS_PER_PAGE = 20;

/** GET of a study's results. */
export async function showResults(request: VisitorRequest): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const { frame, screener } = await studyFrame(request);
  const id = params.id!;
  const wanted = new URLSearchParams();
  for (const name of ["publicationId", "splitBy", "includeWithdrawn"])
    if (query.get(name)) wanted.set(name, query.get(name)!);
  const { filters } = askedIn(query);
  for (const [name, value] of filters.flatMap(parametersOfFilter)) wanted.append(name, value);
  const offset = offsetOf(query, QUESTIONS_PER_PAGE);
  wanted.set("questions", String(QUESTIONS_PER_PAGE));
  if (offset) wanted.set("fromQuestion", String(offset));
  const call = { id, query: wanted.toString() };
  const { results, isSplit } = await resultsOf(request, call);
  const splitBy = isSplit ? (query.get("splitBy") ?? "") : "";
  return page(
    200,
    renderResults(frame, {
      results: splitBy.startsWith("quotas.") ? withPlacesInWords(results) : results,
      activeId: screener.activePublicationId,
      timeZone: screener.timeZone,
      filtered: { filters, words: await filtersInWords(request, filters, screener.timeZone) },
      attributes: context.workspaces.read(visitor.workspace_uid, attributeKeys),
      splitBy,
      isUnsplit: !isSplit,
      includesWithdrawn: query.get("includeWithdrawn") === "true",
      limit: QUESTIONS_PER_PAGE,
      offset,
      curl: calls.curl("getScreenerResults", call),
    }),
  );
}

/** Split by a quota, the labels of the groups are states of places. */
function withPlacesInWords(results: ScreenerResults): ScreenerResults {
  const groups = results.groups.map((group) => ({
    ...group,
    label: group.label === null ? null : inWords(PLACE_STATES, group.label),
  }));
  return { ...results, groups };
}

/** GET of all answers as one table: what the API replies. */
export function sendTable({ calls, params }: VisitorRequest): Promise<Reply> {
  return calls.reply("exportScreenerResponses", { id: params.id! }, "csv");
}

/** The results; not split, if the version has no such question. */
async function resultsOf(
  { calls }: VisitorRequest,
  call: { id: string; query: string },
): Promise<{ results: ScreenerResults; isSplit: boolean }> {
  try {
    return { results: await calls.get("getScreenerResults", call), isSplit: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.document.errors?.[0]?.pointer !== "splitBy") throw error;
    const wanted = new URLSearchParams(call.query);
    wanted.delete("splitBy");
    const results = await calls.get("getScreenerResults", { ...call, query: wanted.toString() });
    return { results, isSplit: false };
  }
}
