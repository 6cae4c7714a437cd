// Makes an image anew that a request has sent.

import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { encodeImage, type Image } from "../images/encode.ts";

interface SentImage {
  use: "logo" | "statement";
  base64: string;
  /** Of the member that has it. */
  pointer: string;
}

/** @throws Problem 400 for what is no image, or too large */
export async function encoded(request: ApiRequest, sent: SentImage): Promise<Image> {
  const made = await encodedOr(request, sent);
  if ("errors" in made) throw invalidRequest(made.errors);
  return made.image;
}

/** The image, or what is wrong with it. One after the other, because pixels take much memory, and no image is urgent. */
export async function encodedOr(
  { context }: ApiRequest,
  { use, base64, pointer }: SentImage,
): Promise<{ image: Image } | { errors: ProblemDetail[] }> {
  const sent = { use, bytes: Buffer.from(base64, "base64") };
  const made = await context.oneAtATime.run("image", () => context.pool.ask(encodeImage, sent));
  return "fault" in made ? { errors: [{ pointer, message: made.fault }] } : made;
}
