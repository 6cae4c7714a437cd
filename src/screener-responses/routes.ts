// /screener-responses

import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { page, paginated } from "../http/lists.ts";
import { listResponses } from "./queries.ts";
import { ResponseView } from "./view.ts";

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
  handle({ context, principal, query }) {
    const { filters, page: wanted } = query;
    const read = context.workspaces.read(principal.workspaceUid, (db) => listResponses(db, filters, wanted));
    return page("ScreenerResponse", wanted, read);
  },
});

export const responseRoutes: AnyEndpoint[] = [list];
