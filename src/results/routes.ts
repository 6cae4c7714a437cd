// /screeners/{id}/results.

import * as v from "valibot";
import { invalidRequest, Problem } from "../base/problems.ts";
import { id } from "../base/schemas.ts";
import { sessionFilters } from "../exports/filters.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../http/endpoint.ts";
import { type Measured, measureResults, type Wanted } from "./measure.ts";
import { Results, resultsExample } from "./results.ts";

const DEFAULT_QUESTIONS = 100;
const MAX_QUESTIONS = 500;

/** What measuring takes at most from the time that a workspace has for reads: half of what it may take at once. */
const MAX_SPENT_MS = 100;

const wholeNumber = v.pipe(
  v.string(),
  v.regex(/^\d{1,9}$/, "must be a whole number of at least 0"),
  v.transform(Number),
);

const results = defineEndpoint({
  method: "get",
  path: "/screeners/:id/results",
  operationId: "getScreenerResults",
  scopes: ["read"],
  tag: "Responses",
  summary: "Count a screener's results",
  description:
    "How many have come how far, day by day and page by page, and what they have answered, in the form of charts: of all publications " +
    "together, or of one. With filters, of the sessions that have started and that all filters let through; only `funnel` is of all. Questions, options and pages of several publications are the same if they have the same id. Of very many " +
    "sessions a sample is counted; see `countedSessions`.",
  formats: ["json"],
  filters: sessionFilters,
  hasNoPages: true,
  parameters: v.object({
    publicationId: v.optional(v.pipe(id, v.description("Of this publication. Without it: of all"))),
    splitBy: v.optional(
      v.pipe(
        v.string(),
        v.description(
          "Split into groups: by the answers to a question, by its id, or to a row of a matrix, as `<its id>.<the row’s>`; by `attributes.<key>` of the participants; by the arms of an " +
            "assignment, as `arms.<its id>`; or by who has a place in a quota, as `quotas.<its id>`",
        ),
      ),
    ),
    includeWithdrawn: v.optional(
      v.pipe(
        v.picklist(["true", "false"], "must be one of true, false"),
        v.description("`true`: also sessions whose participants have withdrawn"),
      ),
    ),
    fromQuestion: v.optional(v.pipe(wholeNumber, v.description("How many questions are left out before; default 0"))),
    questions: v.optional(
      v.pipe(
        wholeNumber,
        v.maxValue(MAX_QUESTIONS, `must be at most ${MAX_QUESTIONS}`),
        v.description(`How many questions have their charts; default ${DEFAULT_QUESTIONS}, at most ${MAX_QUESTIONS}`),
      ),
    ),
  }),
  replies: { 200: { description: "The results", schema: Results } },
  examples: { results: { reply: resultsExample } },
  problems: ["screener_not_found", "screener_publication_not_found"],
  async handle({ context, principal: { workspaceUid }, params, query, parameters = {} }) {
    const { publicationId, splitBy, includeWithdrawn, fromQuestion = 0, questions = DEFAULT_QUESTIONS } = parameters;
    const includesWithdrawn = includeWithdrawn === "true";
    const { filters, asked = [] } = query;
    const of = { screenerUid: params.id!, publicationUid: publicationId, splitBy, includesWithdrawn };
    const wanted = { ...of, filters, asked, fromQuestion, questions };
    const measured = await measuredOnce({ context, workspaceUid }, wanted);
    if (measured.json !== undefined) return ok(measured.json);
    if ("errors" in measured) throw invalidRequest(measured.errors);
    if (measured.missing === "splitBy")
      throw invalidRequest([
        {
          pointer: "splitBy",
          message:
            "must be the id of a question, <its id>.<the id of a row>, attributes.<key>, arms.<id of an assignment>, or quotas.<id of a quota>",
        },
      ]);
    throw new Problem(measured.missing === "screener" ? "screener_not_found" : "screener_publication_not_found");
  },
});

/** Measures in a thread, unless the same was measured before and nothing was written since. */
function measuredOnce(
  { context, workspaceUid }: { context: ApiRequest["context"]; workspaceUid: string },
  wanted: Wanted,
): Promise<Measured> {
  const { keptAnswers, pool, turns } = context;
  const measure = () => pool.ask(measureResults, { workspaceUid, wanted });
  return keptAnswers.get(workspaceUid, `results ${JSON.stringify(wanted)}`, () =>
    // What comes next, such as the same again, must not wait for it.
    turns.inThread(workspaceUid, measure, MAX_SPENT_MS),
  );
}

export const resultsRoutes: AnyEndpoint[] = [results];
