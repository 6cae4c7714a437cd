// All routes, by the first word of their paths: a request is matched against the handful that it can mean.

import Router from "@koa/router";
import type { Middleware } from "koa";

export class Routes {
  readonly #routers = new Map<string, { router: Router; middleware: Middleware }>();

  /** The router for this path and all others that begin with the same word. */
  at(path: string): Router {
    const word = firstWord(path);
    let room = this.#routers.get(word);
    if (!room) {
      const router = new Router({ sensitive: true });
      room = { router, middleware: router.routes() as unknown as Middleware };
      this.#routers.set(word, room);
    }
    return room.router;
  }

  /** Every route. */
  get stack(): Router["stack"] {
    return [...this.#routers.values()].flatMap(({ router }) => router.stack);
  }

  /** Leads a request to the router of its path. */
  readonly dispatch: Middleware = (ctx, next) => {
    const room = this.#routers.get(firstWord(ctx.path));
    return room ? room.middleware(ctx, next) : next();
  };
}

function firstWord(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
