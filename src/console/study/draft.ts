// The draft of a study, for pages that show it: not longer than a request may read it at once.

import type { Content } from "../../nouns/content/content.ts";
import type { AnswerTo } from "../shell/calls.ts";
import type { VisitorRequest } from "../shell/request.ts";

/** Of JSON, in bytes. Reading more would hold up other requests. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** Undefined: it is too long to be shown. @throws Problem, as the API does */
export async function readContent(
  { calls }: Pick<VisitorRequest, "calls">,
  operationId: "getScreenerContent" | "getScreenerPublicationContent",
  id: string,
): Promise<Content | undefined> {
  const { body } = await calls.reply(operationId, { id });
  if (typeof body !== "string" || Buffer.byteLength(body) > MAX_SHOWN_BYTES) return undefined;
  const content: AnswerTo<typeof operationId> = JSON.parse(body);
  return content;
}
