// The listener of a cell for the others (CELL_LISTEN): nobody gets beyond its TLS without the secret that cells share, and no request is
// served that another cell has not signed.

import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:tls";
import type { Middleware } from "koa";
import type { Context } from "../http/context.ts";
import { namesOf } from "../workspaces/installation.ts";
import type { Directory } from "./directory.ts";
import { NOT_OURS } from "./forward.ts";
import { TLS } from "./line.ts";
import { PASS, readPass } from "./pass.ts";

/** A process that may know other cells. */
type AmongCells = Pick<Context, "config" | "control" | "log"> & { directory: Directory | undefined };

/** The first of the chain: it reads which caller has sent the request to the other cell. */
export function admitCells({ directory, log }: AmongCells): Middleware {
  return (ctx, next) => {
    const { headers, method = "", url = "" } = ctx.req;
    const pass = directory && readPass(directory.secrets, directory.ownNames, { method, path: url }, headers[PASS]);
    if (!pass) {
      log.warn({ address: ctx.req.socket.remoteAddress }, "a request on the cells' listener was refused");
      ctx.set("Connection", "close");
      ctx.status = NOT_OURS;
      ctx.body = { detail: "The request is not signed by another cell, or for another one, or too old." };
      return undefined;
    }
    ctx.request.ip = pass.address;
    ctx.state.hops = pass.hops;
    return next();
  };
}

/** How long a handshake may take. */
const HANDSHAKE_MS = 5000;

/** Listens for other cells, and says where. @param http what serves their requests @throws when the address is not available */
export async function listenForCells(
  { config, control, directory, log }: AmongCells,
  http: HttpServer,
): Promise<Server> {
  const server = createServer(
    {
      ...TLS,
      handshakeTimeout: HANDSHAKE_MS,
      pskCallback: (_, name) => directory?.secretCalled(name) ?? null,
    },
    (socket) => http.emit("connection", socket),
  );
  server.maxConnections = http.maxConnections;
  const { host, port } = config.cellListen;
  // Several processes each have a free port of their own; a port that is given they share.
  server.listen({ host, port, exclusive: port === 0, reusePort: config.reusePort && port !== 0 });
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  directory?.announce({ cells: namesOf(control.reader), host, port: bound }, log);
  log.info({ host, port: bound }, "listens for other cells");
  return server;
}
