// /screener-responses

import type { AnyEndpoint } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { responseList } from "./resource.ts";

const list = defineList(responseList, {
  path: "/screener-responses",
  operationId: "listScreenerResponses",
  tag: "Responses",
  summary: "List responses",
  downloads: "SCREENER_RESPONSES",
});

export const responseRoutes: AnyEndpoint[] = [list];
