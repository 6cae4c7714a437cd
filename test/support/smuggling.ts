// Requests that two servers in a row may understand differently, and tenants who look at what they get meanwhile.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { dial } from "./http.ts";

/** The end of every case: a whole request that nobody may take for one, unless it is answered on the connection that it came on. */
export type Inner = string;

export interface Case {
  name: string;
  /** All bytes. @param target method-less: a path @param headers lines of the sender's own @param inner see Inner */
  bytes(target: string, headers: string, inner: Inner): string;
  /** The inner request is a second one, by everybody's reading. */
  isPipelined?: true;
}

const head = (method: string, target: string, ...lines: string[]) =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => (/^$|\r\n$/.test(line) ? line : `${line}\r\n`)).join("")}\r\n`;

/** A request that says by `lines` how long its body is, and whose body is the inner request. */
function hidden(name: string, method: string, ...lines: string[]): Case {
  return {
    name,
    bytes: (target, headers, inner) =>
      head(method, target, headers, ...lines.map((line) => line.replaceAll("LENGTH", String(inner.length)))) + inner,
  };
}

/** A request whose body ends, by one reading, with the last chunk, and by another one behind the inner request; or the other way round. */
function chunked(name: string, ...lines: string[]): Case {
  return {
    name,
    bytes(target, headers, inner) {
      const body = `0\r\n\r\n${inner}`;
      return (
        head(
          "POST",
          target,
          headers,
          "Content-Type: application/json",
          ...lines.map((line) => line.replaceAll("LENGTH", String(body.length))),
        ) + body
      );
    },
  };
}

const LENGTH = "Content-Length: LENGTH";
const CHUNKED = "Transfer-Encoding: chunked";

const nominations = [
  "content-length",
  "Content-Length",
  "close, content-length",
  "keep-alive,content-length",
  "\tcontent-length ,",
  "transfer-encoding",
  "host",
  "x-service-api-key",
  "x-service-api-secret",
  "authorization",
  "x-forwarded-for",
  "x-request-id",
  "content-type",
];

export const cases: Case[] = [
  ...["GET", "HEAD", "OPTIONS", "DELETE", "POST"].flatMap((method) =>
    nominations.map((named) =>
      hidden(
        `${method}, Connection: ${named.trim()}`,
        method,
        `Connection: ${named}`,
        "Content-Type: application/json",
        LENGTH,
      ),
    ),
  ),
  hidden("two Connection headers", "GET", "Connection: keep-alive", "Connection: content-length", LENGTH),
  ...["GET", "HEAD", "OPTIONS"].map((method) => hidden(`${method} with a body`, method, LENGTH)),
  { name: "GET with chunks", bytes: (target, headers, inner) => head("GET", target, headers, CHUNKED) + chunk(inner) },
  chunked("CL.TE", LENGTH, CHUNKED),
  chunked("TE before CL", CHUNKED, LENGTH),
  {
    name: "TE.CL",
    bytes: (target, headers, inner) => head("POST", target, headers, "Content-Length: 4", CHUNKED) + chunk(inner),
  },
  ...[
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: chunked;x=1",
    "Transfer-Encoding:\tchunked\v",
    "Transfer-Encoding: \x0bchunked",
    'Transfer-Encoding: "chunked"',
    "Transfer-Encoding: cow",
    "X: y\nTransfer-Encoding: chunked",
    "X: y\rTransfer-Encoding: chunked",
    "Transfer\x00-Encoding: chunked",
    "Transfer_Encoding: chunked",
    "Transfer-Encoding:\r\n chunked",
    "Content-Encoding: x\r\n\tTransfer-Encoding: chunked",
  ].map((line) => chunked(`TE.TE ${JSON.stringify(line)}`, LENGTH, line)),
  chunked("TE twice", LENGTH, CHUNKED, "Transfer-Encoding: identity"),
  chunked("obs-fold of the length", "Content-Length:\r\n LENGTH", CHUNKED),
  hidden("obs-fold hides the length", "POST", "X: y\r\n Content-Length: LENGTH"),
  ...["0", "00", "+0", "-1", "0x0", "0, LENGTH", "1e1", " 0 0", "", "LENGTH, LENGTH"].map((value) =>
    hidden(`Content-Length: ${JSON.stringify(value)}, and another`, "POST", `Content-Length: ${value}`, LENGTH),
  ),
  ...["+LENGTH", "0xff", "LENGTH;", "LENGTH LENGTH", "LENGTH, 0"].map((value) =>
    hidden(`Content-Length: ${JSON.stringify(value)}`, "POST", `Content-Length: ${value}`),
  ),
  hidden("two lengths", "POST", "Content-Length: 0", LENGTH),
  hidden("two lengths, the other way", "POST", LENGTH, "Content-Length: 0"),
  hidden("Expect", "POST", "Expect: 100-continue", LENGTH, "Connection: content-length"),
  hidden("upgrade", "GET", "Connection: Upgrade", "Upgrade: websocket", LENGTH),
  hidden(
    "upgrade to h2c",
    "GET",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABk",
    LENGTH,
  ),
  hidden("bare line feeds", "POST", "X: y\nContent-Length: 0", LENGTH),
  {
    name: "chunk extension with a line feed",
    bytes: (target, headers, inner) => `${head("POST", target, headers, CHUNKED)}0;\n\r\n\r\n${inner}`,
  },
  {
    name: "chunk of a wrong size",
    bytes: (target, headers, inner) => `${head("POST", target, headers, CHUNKED)}1\r\nabc\r\n0\r\n\r\n${inner}`,
  },
  {
    name: "trailers that frame",
    bytes: (target, headers, inner) =>
      `${head("POST", target, headers, CHUNKED, "Trailer: Content-Length")}0\r\nContent-Length: 5\r\nConnection: content-length\r\n\r\n${inner}`,
  },
  {
    name: "CL.0",
    bytes: (target, headers, inner) => head("POST", target, headers, "Content-Length: 0") + inner,
    isPipelined: true,
  },
  { name: "pipelined", bytes: (target, headers, inner) => head("GET", target, headers) + inner, isPipelined: true },
  {
    name: "pipelined behind a Connection that is known",
    bytes: (target, headers, inner) =>
      head("GET", target, headers, "Connection: keep-alive, TE", "TE: trailers") + inner,
    isPipelined: true,
  },
  {
    name: "absolute target with another path",
    bytes: (_, headers, inner) =>
      head("GET", "http://y/screeners", headers, "Connection: content-length", `Content-Length: ${inner.length}`) +
      inner,
  },
  {
    name: "a header of the cells' own",
    bytes: (target, headers, inner) =>
      head(
        "GET",
        target,
        headers,
        "X-Screening-Cell: e30.AAAA",
        "X-Screening-Hops: 0",
        "Connection: content-length",
        `Content-Length: ${inner.length}`,
      ) + inner,
  },
];

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

/** How long nothing comes any more before we hang up. A request that is passed on takes a few milliseconds. */
const QUIET_MS = 150;
const MAX_MS = 5000;

/** Sends bytes on a connection of their own. @returns what came back until the server hung up, or said nothing for a while */
export async function sendRaw(url: string, bytes: string, from: string, quietMs = QUIET_MS): Promise<string> {
  const socket = await dial(url, from);
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    socket.setTimeout(quietMs);
  });
  socket.setTimeout(MAX_MS, () => socket.destroy());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(bytes, "latin1");
  await closed;
  return received;
}

/** Somebody who reads again and again on kept connections, and must get exactly what is theirs. */
export class Reader {
  reads = 0;
  hasFailed = false;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(client: Client, expected: string) {
    this.#done = this.#read(client, expected);
    // It is looked at in the end.
    this.#done.catch(() => {
      this.hasFailed = true;
    });
  }

  async #read({ url, credentials: { apiKey, apiSecret } }: Client, expected: string): Promise<void> {
    while (!this.#isOver) {
      const id = randomUUID();
      const answer = await fetch(`${url}/screeners`, {
        headers: { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret, "X-Request-Id": id },
      });
      const text = await answer.text();
      assert.deepEqual([answer.status, answer.headers.get("x-request-id")], [200, id], text);
      const titles = JSON.parse(text).items.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles, [expected]);
      this.reads++;
      await sleep(2);
    }
  }

  end(): Promise<void> {
    this.#isOver = true;
    return this.#done;
  }
}
