// A request from one cell to another, on a connection of its own: nobody else's request goes over it, and it ends with the reply. TLS with the secret that
// cells share (TLS-PSK) proves both sides to each other before a byte of the request is sent. undici frames what is sent.

import type { Readable } from "node:stream";
import type { ConnectionOptions, TLSSocket, TlsOptions } from "node:tls";
import type { Dispatcher } from "undici";
import { type Directory, type Listener, nameOf } from "./directory.ts";
import { PASS, signPass } from "./pass.ts";

/** The cell does not answer. It has seen nothing of the request. */
export class CellAway extends Error {}

/** What both sides of a connection agree on. */
export const TLS = {
  minVersion: "TLSv1.3",
  ciphers: "TLS_AES_128_GCM_SHA256",
} as const satisfies ConnectionOptions & TlsOptions;

const CONNECT_MS = 2000;
/** As much as a request's header may be (server.ts). */
const MAX_HEADER_BYTES = 128 * 1024;

interface CellRequest {
  method: string;
  path: string;
  /** Names and values, in turn: without those of a connection, and without Content-Length. */
  headers: string[];
  body: Readable | Buffer | null;
  /** The body's length, if it is known. */
  length?: number;
  /** The address of the caller. */
  address: string;
  hops: number;
  /** How long nothing may come. */
  silenceMs: number;
  signal?: AbortSignal;
}

/** Sends a request to a process of a cell. @throws CellAway when none is there; Error when it is not sure what became of the request */
export async function askCell(
  directory: Directory,
  cell: string,
  request: CellRequest,
): Promise<Dispatcher.ResponseData> {
  // Not before it is needed: a process of a single node never does.
  const { Client } = await import("undici");
  const { socket, secret } = await connectTo(directory, cell);
  const { method, path, headers, body, length, address, hops, silenceMs, signal } = request;
  let isTaken = false;
  const client = new Client("http://cell", {
    connect(_, callback) {
      const error = isTaken ? new Error("The connection was lost.") : null;
      isTaken = true;
      // undici does not go on when it is called back at once.
      setImmediate(() => (error ? callback(error, null) : callback(null, socket)));
    },
    // Not 0, which says "Connection: close": the other side would hang up at an early answer, which is lost then.
    pipelining: 1,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const answer = client.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers: [
      ...headers,
      ...(length === undefined ? [] : ["content-length", String(length)]),
      PASS,
      signPass(secret, { method, path }, { to: cell, address, hops }),
    ],
    body,
    responseHeaders: "raw",
    ...(signal && { signal }),
  });
  // It ends after its only request: nobody else's goes over the connection.
  client.close().catch(() => {});
  return answer;
}

/** Nothing has come from there in time. */
class Silent extends Error {}

interface Connected {
  socket: TLSSocket;
  secret: Buffer;
}

/** Connects to the first process of the cell that is there. @throws CellAway */
async function connectTo(directory: Directory, cell: string): Promise<Connected> {
  /** Why it did not answer, by address. */
  const failed = new Map<string, unknown>();
  for (const find of [() => directory.find(cell), () => directory.findAnew(cell)]) {
    const listeners = await Promise.resolve(find()).catch((cause: Error) => {
      throw new CellAway(cause.message, { cause });
    });
    for (const listener of listeners) {
      const { secret } = directory;
      const where = `${listener.host} ${listener.port}`;
      // One of several processes that share a port may have died with the connection. A machine that says nothing is not waited for again.
      if (!secret || failed.get(where) instanceof Silent) continue;
      try {
        return { secret, socket: await dial(listener, secret) };
      } catch (error) {
        failed.set(where, error);
      }
    }
  }
  const tried = [...failed].map(([where, reason]) => `${where} (${reason instanceof Error ? reason.message : reason})`);
  throw new CellAway(
    tried.length
      ? `The cell ${cell} does not answer at ${tried.join(", ")}: CELL_LISTEN.`
      : `No process of the cell ${cell} has said where it listens for other cells (CELL_LISTEN).`,
  );
}

/** Whether a process that listens for the cell is alive. */
export async function isAlive(directory: Directory, cell: string): Promise<boolean> {
  const socket = await connectTo(directory, cell).then(
    (connected) => connected.socket,
    () => undefined,
  );
  socket?.destroy();
  return socket !== undefined;
}

async function dial({ host, port }: Listener, secret: Buffer): Promise<TLSSocket> {
  // Commands start sooner without it.
  const { connect } = await import("node:tls");
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...TLS,
      host,
      port,
      pskCallback: () => ({ psk: secret, identity: nameOf(secret) }),
      // There is no certificate: the secret proves who it is.
      checkServerIdentity: () => undefined,
    });
    const late = setTimeout(() => socket.destroy(new Silent("nothing comes from there")), CONNECT_MS);
    socket.once("secureConnect", () => {
      clearTimeout(late);
      resolve(socket);
    });
    // It stays: until undici listens, too, nobody else would.
    socket.on("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
  });
}
