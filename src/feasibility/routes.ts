// /screeners/{id}/feasibility.

import { askAboutDraft } from "../forecast/ask.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { lookWhoFits } from "./feasibility.ts";
import { Feasibility, FeasibilityInput, feasibilityExample } from "./resource.ts";

const feasibility = defineEndpoint({
  method: "post",
  readsOnly: true,
  path: "/screeners/:id/feasibility",
  operationId: "assessScreenerFeasibility",
  scopes: ["read"],
  tag: "Quotas",
  summary: "Count who fits, and who of them can be written to",
  description:
    "How many people of the roster fit the rules of the draft by their attributes, in all and in each quota; how many of them have finished, or " +
    "are not to be written to, and why; and how many remain. It changes nothing.",
  body: FeasibilityInput,
  streamsBody: true,
  bodyIsOptional: true,
  replies: { 200: { description: "The counts", schema: Feasibility } },
  examples: {
    draft: { body: {}, reply: { ...feasibilityExample, quotas: [] } },
    given: {
      summary: "With other quotas than those of the draft",
      body: {
        quotas: [{ name: "Leeds", when: { attribute: "site", is: "Leeds" }, limit: 40 }],
      },
      reply: feasibilityExample,
    },
  },
  problems: ["screener_not_found", "quota_rule_changed"],
  handle: (request) => askAboutDraft(request, "feasibility", lookWhoFits),
});

export const feasibilityRoutes: AnyEndpoint[] = [feasibility];
