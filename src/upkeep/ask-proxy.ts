// Whether the proxy in front of the service lets large imports through.

import { ask } from "../base/ask.ts";
import type { Config } from "../base/config.ts";
import type { Finding } from "../base/findings.ts";

/** Asks the proxy at PUBLIC_URL whether it lets a body of IMPORT_MAX_BYTES through. One that can't be asked is no finding. */
export async function proxyLetsBodiesThrough({ publicUrl, importMaxBytes }: Config): Promise<Finding | undefined> {
  // Without credentials the service refuses it before it reads the body.
  const answer = await ask(`${publicUrl}/screener-participants-import`, importMaxBytes);
  if (!("status" in answer) || answer.status !== 413) return undefined;
  return {
    code: "proxy_refuses_bodies",
    message:
      `The proxy refuses bodies of IMPORT_MAX_BYTES (${importMaxBytes} bytes) with 413: raise its limit ` +
      "(nginx: client_max_body_size), or lower IMPORT_MAX_BYTES.",
    blocking: false,
  };
}
