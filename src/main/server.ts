// The HTTP server of the app.

import { once } from "node:events";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Server as TlsServer } from "node:tls";
import { reachedAt } from "../base/config.ts";
import { listenForCells } from "../cells/listener.ts";
import { onClientError } from "../http/wire/errors.ts";
import { type App, createApp } from "./app.ts";
import type { Process } from "./context.ts";

// 500 UUIDs in a filter make a URL of 40 KB, and a list takes several filters.
const MAX_HEADER_BYTES = 128 * 1024;

// A large import over a slow connection takes hours. http/wire/body.ts ends requests whose sender has stopped.
const MAX_REQUEST_MS = 24 * 3_600_000;

/** How long a connection may stand still while something is to be written to it. */
const MAX_STALLED_MS = 60_000;

/** A server that knows its running requests. */
export class ApiServer extends Server {
  /** Of node:net. The types do not have it yet. */
  declare dropMaxConnection: boolean;
  readonly #running = new Set<Promise<void>>();
  /** The latest response of each connection. */
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  handle(request: Promise<void>, response: ServerResponse): void {
    this.#running.add(request);
    request.finally(() => this.#running.delete(request));
    this.#responses.set(response.req.socket, response);
  }

  /** Ends connections whose client has stopped to read, or that nobody uses. A request that waits for its job stays. */
  endStalled(): void {
    this.setTimeout(MAX_STALLED_MS, (socket) => {
      const isIdle = this.#responses.get(socket)?.writableFinished ?? true;
      if (isIdle || socket.writableLength > 0) socket.destroy();
    });
  }

  /** Resolves when no request is running. A request still cleans up after its connection has closed. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

/** Starts to listen. @throws when the address is not available */
export async function startServer(context: Process, { koa }: App = createApp(context)): Promise<ApiServer> {
  const server = serverOf(context, koa);
  const { config } = context;
  const { port, host, reusePort } = config;
  // What is said of this address is said before the first connection.
  server.once("listening", () => {
    config.publicUrl = reachedAt(config, (server.address() as AddressInfo).port);
  });
  server.listen({ port, host, reusePort });
  await once(server, "listening").catch((error: Error) => {
    throw new Error(`The service can't listen at HOST ${host}, PORT ${port}: ${error.message}`, { cause: error });
  });
  return server;
}

/** What listens for other cells, and what serves them. */
interface CellServer {
  tls: TlsServer;
  http: ApiServer;
}

/** Starts to listen for other cells. @throws when the address is not available */
export async function startCellServer(context: Process, { cells }: App): Promise<CellServer> {
  // What is passed on has more headers than it came with.
  const http = serverOf(context, cells, MAX_HEADER_BYTES + 8 * 1024);
  return { http, tls: await listenForCells(context, http) };
}

function serverOf(context: Process, koa: App["koa"], maxHeaderSize = MAX_HEADER_BYTES): ApiServer {
  const callback = koa.callback();
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    // Else a client could use the connection again at the moment when it is closed.
    if (context.isRetiring()) res.shouldKeepAlive = false;
    server.handle(callback(req, res), res);
  };
  // The app answers a missing Host and an unknown Expect. Node would refuse them without a body.
  const server = new ApiServer(
    {
      maxHeaderSize,
      keepAliveTimeout: 65_000,
      requestTimeout: MAX_REQUEST_MS,
      requireHostHeader: false,
    },
    serve,
  );
  server.endStalled();
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket: Socket) => {
    const status = onClientError(error, socket);
    if (status !== undefined) context.metrics?.requests.refused(status);
  });
  // Beyond that a file might not be opened. Those who send nothing make room.
  server.maxConnections = context.maxConnections;
  // Also one of several processes drops them. Else it would hand them back, and get them again.
  server.dropMaxConnection = true;
  server.on("drop", () => {
    context.metrics?.requests.dropped();
    server.closeIdleConnections();
  });
  return server;
}
