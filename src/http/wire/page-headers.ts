// Headers that protect pages for people, by Helmet.

import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet, { type HelmetOptions } from "helmet";

type Sources = Record<string, readonly string[]>;

/** The headers of pages that may load from these sources, and nothing else. */
export function pageHeaders(
  directives: Sources,
  options: Pick<HelmetOptions, "referrerPolicy" | "xFrameOptions"> = {},
): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const guard = helmet({
    ...options,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        ...directives,
        baseUri: directives.baseUri ?? ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // The service speaks plain HTTP. The proxy that terminates TLS decides whether to require HTTPS.
    strictTransportSecurity: false,
    // Every response has it.
    xContentTypeOptions: false,
  });
  guard(response.req, response, (error) => {
    if (error) throw error;
  });
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}
