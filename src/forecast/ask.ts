// Answers a request with what a thread finds out about a draft.

import { Problem } from "../base/problems.ts";
import { type ApiRequest, ok } from "../http/endpoint.ts";
import { inTurn, type Turn } from "../http/in-turn.ts";
import { hasBody, readBytes } from "../http/wire/body.ts";
import type { AboutDraft } from "./about-draft.ts";

const NO_BODY = Buffer.from("{}");

export async function askAboutDraft(request: ApiRequest, turn: Turn, task: AboutDraft) {
  const { context, incoming, params, principal, confirm } = request;
  const body = hasBody(incoming) ? await readBytes(incoming, context.config.bodyMaxBytes, confirm) : NO_BODY;
  const { workspaceUid } = principal;
  const ask = () => context.pool.ask(task, { workspaceUid, screenerUid: params.id!, body });
  // It is a read, which only GET is by itself.
  const made = await context.turns.read(workspaceUid, () => inTurn(request, turn, ask));
  if ("problem" in made) throw Problem.fromDocument(made.problem);
  return ok(made.json);
}
