// What people decide of sessions: their reviews, and outcomes that are set by hand.

import { exampleActor } from "../base/examples.ts";
import { type AnyEndpoint, defineEndpoint, ok, requireMatch, withTag } from "../http/endpoint.ts";
import { appUrlOf, session } from "../nouns/sessions/resource.ts";
import { NewOverride, NewReview } from "../nouns/sessions/reviews.ts";
import { findShown, readingOf } from "../nouns/sessions/shown.ts";
import { overrideOutcome } from "../screening/override.ts";
import { writeOnce } from "../writes/write-once.ts";
import { reviewSession } from "./review.ts";

const tag = "Sessions";

const completed = {
  ...session.example,
  state: "COMPLETED",
  startedAt: "2026-01-31T12:02:00.000Z",
  lastActiveAt: "2026-01-31T12:02:00.000Z",
  completedAt: "2026-01-31T12:02:00.000Z",
};

const review = defineEndpoint({
  method: "post",
  path: "/screener-sessions/:id/review",
  operationId: "reviewScreenerSession",
  scopes: ["review"],
  tag,
  summary: "Accept or reject a session",
  description:
    "Of a screener with `review`, sessions that would take places hold them until somebody decides. Accepted, they are taken; " +
    "rejected, they are given back. The outcome stays what the rules have come to. Send If-Match with the session's ETag, so that two " +
    "people never decide of the same session without seeing it.",
  body: NewReview,
  isConditional: true,
  replies: {
    200: { description: "The session as it is now", schema: session.schema, headers: { ETag: "For If-Match" } },
  },
  examples: {
    accept: {
      body: { decision: "ACCEPTED", reason: "Answers are plausible" },
      reply: {
        ...completed,
        review: {
          state: "ACCEPTED",
          by: exampleActor,
          at: "2026-01-31T14:00:00.000Z",
          reason: "Answers are plausible",
        },
      },
    },
  },
  problems: ["screener_session_not_found", "session_closed", "session_not_reviewed", "quota_reached"],
  handle(request) {
    const { body, params, principal } = request;
    const reading = readingOf(request);
    const { decision, reason = null } = body;
    return writeOnce(request, (db, record) => {
      const before = findShown(db, params.id!, reading);
      if (before !== undefined) requireMatch(request, before);
      reviewSession(db, params.id!, { decision, reason }, principal.actor, record);
      return withTag(findShown(db, params.id!, reading)!);
    });
  },
});

const override = defineEndpoint({
  method: "post",
  path: "/screener-sessions/:id/override",
  operationId: "overrideScreenerSession",
  scopes: ["author"],
  tag,
  summary: "Set the outcome of a completed session by hand",
  description:
    "The participant's status, counts and places follow, also beyond limits. `BY_RULES` takes it back. The explanation shows it.",
  body: NewOverride,
  replies: { 200: { description: "The session as it is now", schema: session.schema } },
  examples: {
    qualify: {
      body: { outcome: "QUALIFIED", reason: "Wrote a wrong age, and corrected it on the phone" },
      reply: {
        ...completed,
      },
    },
  },
  problems: ["screener_session_not_found", "session_not_completed"],
  handle(request) {
    const { body, params, principal } = request;
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      overrideOutcome(db, params.id!, body, principal.actor, record);
      return ok(session.find(db, params.id!, url)!);
    });
  },
});

export const reviewRoutes: AnyEndpoint[] = [review, override];
