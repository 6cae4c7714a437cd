// bull-board, for those who know BullMQ: shows the tickets that are in Redis, and changes nothing. It listens on the loopback
// address alone, and answers only who calls it by that name: else a page of another site could read it by a name of its own
// that leads here (DNS rebinding).

import { once } from "node:events";
import { createReadStream, globSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from "@bull-board/api/typings/app";
import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import { connectProducer, openQueue, QUEUE } from "../engine/carriers/bullmq.ts";
import { MAIL_QUEUE } from "../engine/carriers/mail.ts";
import { WEBHOOK_QUEUE } from "../engine/carriers/webhooks.ts";
import { pageHeaders } from "../http/wire/page-headers.ts";

const LOOPBACK = "127.0.0.1";

/** What a browser on this machine calls us. */
const OUR_NAMES = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/i;

const HEADERS = {
  ...pageHeaders({
    scriptSrc: ["'self'"],
    // The page sets style attributes. It also names a font of another site, which it does without.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'self'"],
    formAction: ["'none'"],
  }),
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

/** Puts bull-board's routes into a router: those that read, and no other. */
class BoardRoutes implements IServerAdapter {
  readonly router = new Router();
  #queues: BullBoardQueues = new Map();
  #config: UIConfig = {};
  #views = "";
  #explain: (error: Error) => ControllerHandlerReturnType = (error) => ({ status: 500, body: error.message });

  setQueues(queues: BullBoardQueues): this {
    this.#queues = queues;
    return this;
  }

  setViewsPath(path: string): this {
    this.#views = path;
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.#config = config;
    return this;
  }

  setErrorHandler(explain: (error: Error) => ControllerHandlerReturnType): this {
    this.#explain = explain;
    return this;
  }

  setStaticPath(route: string, folder: string): this {
    const files = globSync("**/*.*", { cwd: folder }).map((name) => [`${route}/${name}`, join(folder, name)] as const);
    for (const [path, file] of files)
      this.router.get(path, (ctx) => {
        ctx.type = extname(file);
        ctx.body = createReadStream(file);
      });
    return this;
  }

  setEntryRoute({ route, handler }: AppViewRoute): this {
    const { name, params } = handler({ basePath: "/", uiConfig: this.#config });
    const page = filled(readFileSync(join(this.#views, name), "utf8"), params);
    this.router.get(route, (ctx) => {
      ctx.type = "html";
      ctx.body = page;
    });
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    for (const { route, handler } of routes.filter(({ method }) => method === "get"))
      this.router.get(route, async (ctx) => {
        const { query, params } = ctx;
        const request = { queues: this.#queues, uiConfig: this.#config, query, params, body: {}, headers: {} };
        const { status = 200, body } = await Promise.resolve(handler(request)).catch(this.#explain);
        ctx.status = status;
        ctx.body = body;
      });
    return this;
  }
}

/** The template with its values; those of `<%=` are escaped. It has no other tags. @throws Error for one that is not known */
function filled(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/<%(.)\s*(.*?)\s*%>/g, (_, kind: string, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The page of bull-board wants ${name}.`);
    return kind === "-" ? value : value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  });
}

const guard: Middleware = (ctx, next) => {
  ctx.set(HEADERS);
  if (!OUR_NAMES.test(ctx.get("Host"))) {
    ctx.status = 421;
    ctx.body = "bull-board answers at http://localhost only.\n";
    return;
  }
  if (ctx.method !== "GET" && ctx.method !== "HEAD") {
    ctx.status = 405;
    ctx.set("Allow", "GET, HEAD");
    ctx.body = "bull-board only shows. The command line retries and cancels jobs: cli job.\n";
    return;
  }
  return next();
};

/** Starts to listen. @throws Error when the port is taken */
export async function startBoard(
  { redisUrl, port, reusePort }: { redisUrl: string; port: number; reusePort: boolean },
  installation: string,
): Promise<Server> {
  const connection = connectProducer(redisUrl);
  // The carrier of jobs logs that Redis is away.
  connection.on("error", () => {});
  const routes = new BoardRoutes();
  createBullBoard({
    queues: [QUEUE, WEBHOOK_QUEUE, MAIL_QUEUE].map(
      (name) => new BullMQAdapter(openQueue(name, installation, connection), { readOnlyMode: true }),
    ),
    serverAdapter: routes,
    options: { uiConfig: { boardTitle: "Tickets in Redis", hideDocsLink: true } },
  });
  const koa = new Koa();
  koa.use(guard);
  koa.use(routes.router.routes() as unknown as Middleware);
  // A client that has gone.
  koa.on("error", () => {});
  const server = createServer(koa.callback());
  server.listen({ port, host: LOOPBACK, reusePort });
  await once(server, "listening");
  return server;
}
