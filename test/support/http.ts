// Requests that fetch won't make: from another address, with headers as they are, or no HTTP at all.

import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";

export interface PlainAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as it came. */
  bytes: Buffer;
}

export interface PlainRequest {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
  /** The address that it comes from: any of 127.0.0.0/8. */
  from?: string;
}

/** Makes one request on a connection of its own, and sends the path as it is. */
export function plain(
  url: string,
  { method, path, headers = {}, body, from = "127.0.0.1" }: PlainRequest,
): Promise<PlainAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, localAddress: from, agent: false });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString("utf8"), bytes });
      });
    });
    sent.end(body);
  });
}

/** Opens a connection for bytes. @param from the address that it comes from: any of 127.0.0.0/8 */
export async function dial(url: string, from = "127.0.0.1"): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  // A server that hangs up on us is an answer like any other.
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are, and reads until the server hangs up. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<PlainAnswer> {
  const socket = await dial(url);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(bytes);
  await closed;
  return parse(Buffer.concat(chunks));
}

function parse(answer: Buffer): PlainAnswer {
  const text = answer.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    text: text.slice(end + 4),
    bytes: answer.subarray(end + 4),
  };
}
