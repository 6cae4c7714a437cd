// The HTTP server around the app.

import { once } from "node:events";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { createApp } from "./app.ts";
import type { Context } from "./context.ts";
import { onClientError } from "./http/errors.ts";

// 500 UUIDs in a filter make a URL of 40 KB, and a list takes several filters.
const MAX_HEADER_BYTES = 128 * 1024;

// A large import over a slow line takes hours. A sender that says nothing more is noticed where its body is read.
const REQUEST_MS = 24 * 3_600_000;

/** A server that knows what it has under way. */
export class ApiServer extends Server {
  readonly #underWay = new Set<Promise<void>>();

  handle(request: Promise<void>): void {
    this.#underWay.add(request);
    request.finally(() => this.#underWay.delete(request));
  }

  /** Resolves when all requests are dealt with. Those whose connection is gone have something to clear away, too. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}

/** Listens. Rejects when the address can't be had. */
export async function startServer(context: Context): Promise<ApiServer> {
  const { koa } = createApp(context);
  const callback = koa.callback();
  const serve = (req: IncomingMessage, res: ServerResponse) => server.handle(callback(req, res));
  // A missing Host and an unknown Expect are for the app to answer: Node would refuse them with no body at all.
  const server = new ApiServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 65_000, requestTimeout: REQUEST_MS, requireHostHeader: false },
    serve,
  );
  server.on("checkExpectation", serve);
  server.on("clientError", onClientError);
  server.listen(context.config.port, context.config.host);
  await once(server, "listening");
  return server;
}
