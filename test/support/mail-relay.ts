// A mail relay for tests, on this machine: takes messages, and answers as a test says.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { readConfig } from "../../src/base/config.ts";
import type { MailConfig } from "../../src/base/settings/mail.ts";
import { until } from "./until.ts";

/** A message as it came. */
export interface Received {
  to: string[];
  from: string;
  /** Its headers, by their names in small letters, unfolded and decoded. */
  headers: Map<string, string>;
  raw: string;
  text: string;
  html: string;
}

/** What the relay says at a step. `HANG_UP`: it ends the connection. */
type Answer = { code: number; message: string } | "HANG_UP" | undefined;

export interface MailRelay {
  port: number;
  url: string;
  received: Received[];
  /** How often it was connected to. */
  connections(): number;
  /** Decides for the recipient, before the message comes; and for the message, when it is there. */
  script: { recipient?: (address: string) => Answer; message?: (received: Received) => Answer };
  /** How long it takes to answer a message. */
  delayMs: number;
  /** The messages to an address, when there are so many. */
  to(address: string, count?: number): Promise<Received[]>;
  /** The settings of a service that sends there. */
  config(more?: Record<string, string>): MailConfig;
  close(): Promise<void>;
}

export async function startRelay(options: SMTPServerOptions = {}): Promise<MailRelay> {
  const received: Received[] = [];
  let connections = 0;
  const failure = ({ code, message }: { code: number; message: string }) =>
    Object.assign(new Error(message), { responseCode: code });
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, done) {
      connections++;
      done();
    },
    onRcptTo({ address }, session, done) {
      const answer = relay.script.recipient?.(address);
      if (answer === "HANG_UP") hangUp(server, session.id);
      else done(answer && failure(answer));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const message = parsed(Buffer.concat(chunks).toString("latin1"), {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
        });
        const answer = relay.script.message?.(message);
        if (answer === undefined) received.push(message);
        if (answer === "HANG_UP") hangUp(server, session.id);
        else setTimeout(() => done(answer && failure(answer)), relay.delayMs);
      });
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://127.0.0.1:${port}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  after(close);
  const relay: MailRelay = {
    ...{ port, url, received, close },
    script: {},
    delayMs: 0,
    connections: () => connections,
    async to(address, count = 1) {
      const found = () => received.filter(({ to }) => to.includes(address));
      await until(() => found().length >= count, `${count} messages to ${address}`);
      return found();
    },
    config: (more = {}) => readConfig({ SMTP_URL: url, MAIL_FROM: "Sleep lab <studies@lab.example>", ...more }).mail!,
  };
  return relay;
}

function hangUp(server: SMTPServer, id: string): void {
  for (const connection of server.connections) if (connection.id === id) connection._socket?.destroy();
}

function parsed(raw: string, envelope: { from: string; to: string[] }): Received {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const headers = headersOf(head);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type") ?? "")?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const textOf = (type: string) => {
    const part = parts.map((one) => one.trimStart()).find((one) => one.toLowerCase().includes(`content-type: ${type}`));
    if (part === undefined) return "";
    const [partHead = "", ...partBody] = part.split("\r\n\r\n");
    return decoded(partBody.join("\r\n\r\n"), headersOf(partHead).get("content-transfer-encoding") ?? "7bit");
  };
  return { ...envelope, raw, headers, text: textOf("text/plain"), html: textOf("text/html") };
}

function headersOf(head: string): Map<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
      return [name.toLowerCase(), decodedWords(value)];
    }),
  );
}

/** RFC 2047. */
function decodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === "b" ? Buffer.from(text, "base64").toString() : quoted(text.replaceAll("_", " ")),
    );
}

function decoded(body: string, encoding: string): string {
  const of = encoding.toLowerCase();
  if (of === "base64") return Buffer.from(body, "base64").toString();
  const plain =
    of === "quoted-printable" ? quoted(body.replaceAll("=\r\n", "")) : Buffer.from(body, "latin1").toString();
  return plain.replaceAll("\r\n", "\n").trim();
}

function quoted(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
}
