// What is left of columns with several texts when a person is erased.

import { Problem } from "../base/problems.ts";
import type { Mentions } from "./mentions.ts";
import { ERASED, type Rule } from "./names.ts";

export function headingsWithout(mentions: Mentions, json: string): string {
  const headings: string[] = JSON.parse(json);
  const kept = headings.filter((heading) => !mentions.isIn(heading, "KEY"));
  return kept.length === headings.length ? json : JSON.stringify(kept);
}

export function causeWithout(mentions: Mentions, json: string): string {
  const { note, requestId, traceId, ...rest } = JSON.parse(json);
  const kept = (text: string | null | undefined, rule: Rule) => (text && mentions.isIn(text, rule) ? null : text);
  const after = { requestId: kept(requestId, "KEY"), traceId: kept(traceId, "KEY"), note: kept(note, "SAID") };
  const isCauseKept = after.note === note && after.requestId === requestId && after.traceId === traceId;
  return isCauseKept ? json : JSON.stringify({ ...rest, ...after });
}

/** A request that comes again must not make the person anew. */
const GONE_REPLY = JSON.stringify({
  problem: new Problem("participant_not_found", { detail: "The participant was erased." }).document,
});

export function replyWithout(mentions: Mentions, reply: string): string {
  if (!mentions.mayBeIn(reply)) return reply;
  if (mentions.isReplyTo(reply)) return GONE_REPLY;
  const kept = JSON.parse(mentions.withoutTexts(reply, "KEY"));
  const body = typeof kept.body === "string" && kept.body.startsWith("{") ? JSON.parse(kept.body) : {};
  for (const member of ["override", "review"]) {
    const reason: unknown = body[member]?.reason;
    if (typeof reason !== "string" || !mentions.isIn(reason, "SAID")) continue;
    body[member].reason = ERASED;
    kept.body = JSON.stringify(body);
  }
  if (body._type === "ParticipantNote")
    kept.body = JSON.stringify({ ...body, note: mentions.without(body.note, "SHOWN") });
  return JSON.stringify(kept);
}
