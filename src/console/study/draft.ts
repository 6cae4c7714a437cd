// The draft of a study, for pages that show it: not longer than a request may read it at once.

import type { ScreenerContent } from "../../client/types.ts";
import type { VisitorRequest } from "../shell/request.ts";

/** Of JSON, in bytes. Reading more would hold up other requests. */
export const MAX_SHOWN_BYTES = 1024 * 1024;

/** A content as it was read. */
interface ReadContent {
  /** Undefined: it is too long to be shown. */
  content: ScreenerContent | undefined;
  /** Its entity tag. */
  etag: string;
}

/** @throws Problem, as the API does */
export async function readContent(
  { calls }: Pick<VisitorRequest, "calls">,
  operationId: "getScreenerContent" | "getScreenerPublicationContent",
  id: string,
): Promise<ReadContent> {
  const { body, headers } = await calls.reply(operationId, { id });
  const isShown = typeof body === "string" && Buffer.byteLength(body) <= MAX_SHOWN_BYTES;
  return { content: isShown ? JSON.parse(body) : undefined, etag: headers?.ETag ?? "" };
}
