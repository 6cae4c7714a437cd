// The relay that takes the service's mail: one message at a time over a pool of connections, and what it says of each.

import type { SentMessageInfo, Transporter } from "nodemailer";
import type { MailConfig } from "../../base/settings/mail.ts";
import { compose, type Outgoing } from "./compose.ts";
import { type Attempted, outcomeOf, plainReply, type Sent, whyNot } from "./outcome.ts";

/** A message as the relay gets it. */
interface Composed extends Pick<Outgoing, "to" | "messageId" | "returning"> {
  composed: Uint8Array;
}

/** A relay that says nothing must not hold up others. */
const MAX_ATTEMPT_MS = 60_000;
const MAX_CONNECT_MS = 20_000;
const MAX_SILENT_MS = 40_000;
const MAX_DNS_MS = 10_000;

/** Shorter than relays wait for the next message, so that they do not end a connection at the moment when it gets one. */
const MAX_IDLE_MS = 10_000;

/** Enough for all that one may send in a minute, and no relay minds them. */
export const MAX_CONNECTIONS = 4;

export class Relay {
  readonly #config: MailConfig;
  #transport: Promise<Transporter> | undefined;

  constructor(config: MailConfig) {
    this.#config = config;
  }

  /** Of a message: it says nothing of people. @param uid the message's id */
  messageId(uid: string): string {
    return `<${uid}@${this.#config.from.address.split("@")[1]}>`;
  }

  /** Composes a message here, and tries to send it, once. Never rejects. */
  async send(message: Outgoing): Promise<Sent> {
    return this.give({ ...message, composed: await compose(this.#config, message) });
  }

  /** Tries to send a message that was composed, once. Never rejects. */
  async give({ to, messageId, returning, composed }: Composed): Promise<Sent> {
    const attempted: Attempted = { hasBegun: () => false };
    try {
      this.#transport ??= open(this.#config);
      const transport = await this.#transport;
      const info: SentMessageInfo = await transport.sendMail({
        envelope: { from: returning?.returnPath ?? this.#config.from.address, to: [to] },
        messageId,
        raw: Buffer.from(composed),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(MAX_ATTEMPT_MS),
        attempted,
      } as object);
      return { state: "SENT", reply: plainReply(String(info.response), to), isOfRelay: false };
    } catch (error) {
      return outcomeOf(error, attempted, to);
    }
  }

  /** Connects, with the login, and sends nothing. @returns what is wrong, as a sentence; undefined: nothing */
  async check(): Promise<string | undefined> {
    const transport = await open(this.#config);
    try {
      await transport.verify();
      return undefined;
    } catch (error) {
      return whyNot(error);
    } finally {
      transport.close();
    }
  }

  /** What is under way ends first. */
  async close(): Promise<void> {
    (await this.#transport)?.close();
  }
}

async function open({ relay }: MailConfig): Promise<Transporter> {
  // An installation without mail starts without it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    pool: true,
    host: relay.host,
    port: relay.port,
    secure: relay.isSecure,
    // What goes to this machine alone needs no TLS, and its relay rarely has a certificate that anybody knows.
    ...(!relay.isSecure && (relay.isLoopback ? { ignoreTLS: true } : { requireTLS: true })),
    ...(relay.login && { auth: relay.login }),
    maxConnections: MAX_CONNECTIONS,
    // A message that was on its way when a connection broke is ours to judge: the pool would send it again.
    maxRequeues: 0,
    idleTimeout: MAX_IDLE_MS,
    connectionTimeout: MAX_CONNECT_MS,
    greetingTimeout: MAX_CONNECT_MS,
    socketTimeout: MAX_SILENT_MS,
    dnsTimeout: MAX_DNS_MS,
  });
  transport.use("stream", (mail, done) => {
    const { attempted } = mail.data as { attempted?: Attempted };
    const make = mail.message.createReadStream.bind(mail.message);
    mail.message.createReadStream = (options) => {
      const stream = make(options);
      // The relay has said that it takes the message: from now on it may have it.
      if (attempted) attempted.hasBegun = () => stream.readableDidRead;
      return stream;
    };
    done();
  });
  return transport as unknown as Transporter;
}
