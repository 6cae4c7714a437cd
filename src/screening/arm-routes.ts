// A screener's list of arms.

import { armList } from "../arms/resource.ts";
import type { AnyEndpoint } from "../http/endpoint.ts";
import { defineList, workspaceSource } from "../http/lists.ts";
import { getScreener } from "../nouns/screeners/queries.ts";

const list = defineList(
  armList,
  {
    path: "/screeners/:id/arms",
    operationId: "listScreenerArms",
    tag: "Screeners",
    summary: "List a screener's arms",
    downloads: null,
    description:
      "The arms of all assignments that were published, over all versions, with the sessions that count for each: `completed` and not disqualified, " +
      "and `inProgress`, whose participants have answered lately. `RETIRED`: the newest publication lacks it. " +
      "`GET /screener-sessions` with `filter[armId][eq]` lists the sessions that were given one.",
    order: "in the order of the newest publication, then those that it lacks",
    problems: ["screener_not_found"],
  },
  (request) => workspaceSource(request).read((db) => getScreener(db, request.params.id!).id),
);

export const armRoutes: AnyEndpoint[] = [list];
