// A client of a service behind a proxy that has the tests' certificate. It keeps its connections, as clients do.

import { Agent, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { type Answer, type CallOptions, Client, type Credentials } from "./client.ts";
import { AUTHORITY, TLS_NAME } from "./proxies.ts";

export class SecureClient extends Client {
  readonly #agent = new Agent({ keepAlive: true, ca: AUTHORITY, servername: TLS_NAME });
  readonly #port: number;

  constructor(port: number, workspaceId: string, credentials: Credentials) {
    super(`https://127.0.0.1:${port}`, workspaceId, credentials);
    this.#port = port;
  }

  override call(method: string, path: string, { headers = {}, body }: CallOptions = {}): Promise<Answer> {
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: {
          "X-Service-Api-Key": this.credentials.apiKey,
          "X-Service-Api-Secret": this.credentials.apiSecret,
          ...(sent && { "Content-Type": "application/json", "Content-Length": sent.length }),
          ...headers,
        },
      };
      const asked = request(options, async (response) => {
        try {
          const bytes = await buffer(response);
          const text = bytes.toString();
          const isJson = /\bjson\b/.test(response.headers["content-type"] ?? "");
          resolve({
            status: response.statusCode!,
            headers: new Headers(response.headers as Record<string, string>),
            body: isJson && text ? JSON.parse(text) : undefined,
            text,
            bytes,
          });
        } catch (error) {
          reject(error);
        }
      });
      asked.once("error", reject);
      asked.end(sent);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
