// /screener-responses

import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { listResponses, sliceResponses } from "./queries.ts";
import { ResponseView, responseColumns } from "./view.ts";

const list = defineEndpoint({
  method: "get",
  path: "/screener-responses",
  operationId: "listScreenerResponses",
  tag: "Responses",
  summary: "List responses",
  filters: {
    screenerId: { operators: ["eq"], values: "uuid" },
    screenerPublicationId: { operators: ["eq"], values: "uuid" },
    screenerSessionId: { operators: ["eq", "in"], values: "uuid" },
    screenerParticipantId: { operators: ["eq", "in"], values: "uuid" },
  },
  replies: { 200: { description: "One page, oldest first", schema: paginated("ScreenerResponse", ResponseView) } },
  problems: [],
  handle(request) {
    return replyWithList(request, {
      kind: "ScreenerResponse",
      name: "screener-responses",
      page: (db, { filters, page }) => listResponses(db, filters, page),
      slices: (db, { filters }) => sliceResponses(db, filters),
      columns: responseColumns,
    });
  },
});

export const responseRoutes: AnyEndpoint[] = [list];
