// The HTTP server of the app.

import { once } from "node:events";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { createApp } from "./app.ts";
import type { Context } from "./context.ts";
import { onClientError } from "./http/errors.ts";

// 500 UUIDs in a filter make a URL of 40 KB, and a list takes several filters.
const MAX_HEADER_BYTES = 128 * 1024;

// A large import over a slow connection takes hours. http/body.ts ends requests whose sender has stopped.
const MAX_REQUEST_MS = 24 * 3_600_000;

/** A server that knows its running requests. */
export class ApiServer extends Server {
  readonly #running = new Set<Promise<void>>();

  handle(request: Promise<void>): void {
    this.#running.add(request);
    request.finally(() => this.#running.delete(request));
  }

  /** Resolves when no request is running. A request still cleans up after its connection has closed. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

/** Starts to listen. @throws when the address is not available */
export async function startServer(context: Context): Promise<ApiServer> {
  const { koa } = createApp(context);
  const callback = koa.callback();
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    // Else a client could use the connection again at the moment when it is closed.
    if (context.isRetiring()) res.shouldKeepAlive = false;
    server.handle(callback(req, res));
  };
  // The app answers a missing Host and an unknown Expect. Node would refuse them without a body.
  const server = new ApiServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 65_000,
      requestTimeout: MAX_REQUEST_MS,
      requireHostHeader: false,
    },
    serve,
  );
  server.on("checkExpectation", serve);
  server.on("clientError", onClientError);
  // Beyond that a file might not be opened. Those who send nothing make room.
  server.maxConnections = context.maxConnections;
  server.on("drop", () => server.closeIdleConnections());
  server.listen(context.config.port, context.config.host);
  await once(server, "listening");
  return server;
}
