// The HTTP server around the app.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createApp } from "./app.ts";
import type { Context } from "./context.ts";
import { onClientError } from "./http/errors.ts";

// 500 UUIDs in a filter make a URL of 40 KB, and a list takes several filters.
const MAX_HEADER_BYTES = 128 * 1024;

/** Listens. Rejects when the address can't be had. */
export async function startServer(context: Context): Promise<Server> {
  const { koa } = createApp(context);
  const serve = koa.callback();
  // A missing Host and an unknown Expect are for the app to answer: Node would refuse them with no body at all.
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 65_000, requireHostHeader: false },
    serve,
  );
  server.on("checkExpectation", serve);
  server.on("clientError", onClientError);
  server.listen(context.config.port, context.config.host);
  await once(server, "listening");
  return server;
}
