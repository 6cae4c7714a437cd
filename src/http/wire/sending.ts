// A request that the service makes of itself.

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, pipeline, Readable } from "node:stream";
import type { Incoming } from "./body.ts";

/** The request of a call: its body comes from us. */
export class Sending extends PassThrough implements Incoming {
  readonly socket: Socket;
  readonly headers: IncomingHttpHeaders;

  constructor(socket: Socket, headers: IncomingHttpHeaders, bytes = Readable.from([])) {
    super();
    this.socket = socket;
    this.headers = headers;
    pipeline(bytes, this, () => {});
  }

  get complete(): boolean {
    return this.readableEnded;
  }

  /** Who waits for a browser counts the time. */
  setTimeout(): this {
    return this;
  }
}
