// /screeners/{id}/quota-forecast.

import { exampleIds } from "../base/examples.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { askAboutDraft } from "./ask.ts";
import { forecastQuotas } from "./forecast.ts";
import { Forecast, ForecastInput, forecastExample } from "./resource.ts";

const forecast = defineEndpoint({
  method: "post",
  readsOnly: true,
  path: "/screeners/:id/quota-forecast",
  operationId: "forecastScreenerQuotas",
  scopes: ["read"],
  tag: "Quotas",
  summary: "Forecast what quotas let through",
  description:
    "Replays the sessions that were started, in the order of submission, against the rules of the draft and its quotas, or others: who would " +
    "have taken a place, who would have been turned away, and by which quota first. With `ROSTER` it replays those assigned by their " +
    "attributes, as if all of them came and qualified. It changes nothing.",
  body: ForecastInput,
  streamsBody: true,
  bodyIsOptional: true,
  replies: { 200: { description: "The forecast", schema: Forecast } },
  examples: {
    draft: { body: {}, reply: { ...forecastExample, quotas: [] } },
    given: {
      summary: "Forecast other quotas than those of the draft",
      body: {
        quotas: [
          { name: "Adults", when: { questionId: exampleIds.ageQuestion, atLeast: 18 }, limit: 40 },
          { name: "Under 30", when: { questionId: exampleIds.ageQuestion, lessThan: 30 }, limit: 10 },
        ],
        basis: "ANSWERS",
      },
      reply: forecastExample,
    },
  },
  problems: ["screener_not_found", "quota_rule_changed"],
  handle: (request) => askAboutDraft(request, "forecast", forecastQuotas),
});

export const forecastRoutes: AnyEndpoint[] = [forecast];
