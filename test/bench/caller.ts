// An HTTP client that measures: one keep-alive connection (or a few), and nothing between it and the socket.

import { createReadStream } from "node:fs";
import { Agent, request } from "node:http";
import { pipeline } from "node:stream";

export interface Answer {
  status: number;
  text: string;
  /** From the request's first byte to the answer's last, in ms. */
  ms: number;
}

/** A body in a file. */
export interface Payload {
  path: string;
  bytes: number;
  /** Default: JSON. */
  type?: string;
}

export interface Call {
  body?: object;
  /** Streamed as the body, instead of `body`. */
  file?: Payload;
  headers?: Record<string, string>;
}

export class Caller {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #agent: Agent;

  constructor(url: string, headers: Record<string, string>, connections = 1) {
    this.#url = new URL(url);
    this.#headers = headers;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws Error for anything but a 2xx */
  call(method: string, path: string, { body, file, headers }: Call = {}): Promise<Answer> {
    const bytes = body ? Buffer.from(JSON.stringify(body)) : undefined;
    const length = file?.bytes ?? bytes?.length;
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request({
        host: this.#url.hostname,
        port: this.#url.port,
        method,
        path,
        agent: this.#agent,
        headers: {
          ...this.#headers,
          ...headers,
          ...(length !== undefined && { "Content-Type": file?.type ?? "application/json", "Content-Length": length }),
        },
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const status = response.statusCode!;
          const text = Buffer.concat(chunks).toString("utf8");
          if (status >= 300) reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 1000)}`));
          else resolve({ status, text, ms: performance.now() - started });
        });
      });
      if (file)
        pipeline(createReadStream(file.path, { highWaterMark: 256 * 1024 }), sent, (error) => error && reject(error));
      else sent.end(bytes);
    });
  }

  async get<Body>(path: string): Promise<Body> {
    return JSON.parse((await this.call("GET", path)).text);
  }

  async post<Body>(path: string, body: object): Promise<Body> {
    return JSON.parse((await this.call("POST", path, { body })).text);
  }

  close(): void {
    this.#agent.destroy();
  }
}
