// Makes an image anew that a request has sent.

import { invalidRequest } from "../base/problems.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { encodeImage, type Image } from "../images/encode.ts";

interface SentImage {
  use: "logo" | "statement";
  base64: string;
  /** Of the member that has it. */
  pointer: string;
}

/** One after the other, because pixels take much memory, and no image is urgent. @throws Problem 400 for what is no image, or too large */
export async function encoded({ context }: ApiRequest, { use, base64, pointer }: SentImage): Promise<Image> {
  const sent = { use, bytes: Buffer.from(base64, "base64") };
  const made = await context.oneAtATime.run("image", () => context.pool.ask(encodeImage, sent));
  if ("fault" in made) throw invalidRequest([{ pointer, message: made.fault }]);
  return made.image;
}
