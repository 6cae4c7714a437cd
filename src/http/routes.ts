// All routes, grouped by the first word of their paths. A request is matched only against the few routes of its group.

import Router from "@koa/router";
import type { Middleware } from "koa";

export class Routes {
  readonly #groups = new Map<string, { router: Router; middleware: Middleware }>();

  /** The router of all paths that begin with the same word as `path`. */
  at(path: string): Router {
    const word = firstWord(path);
    let group = this.#groups.get(word);
    if (!group) {
      const router = new Router({ sensitive: true });
      group = { router, middleware: router.routes() as unknown as Middleware };
      this.#groups.set(word, group);
    }
    return group.router;
  }

  get stack(): Router["stack"] {
    return [...this.#groups.values()].flatMap(({ router }) => router.stack);
  }

  /** The first words of all paths. */
  get words(): string[] {
    return [...this.#groups.keys()];
  }

  /** Passes a request to the router of its path. */
  readonly dispatch: Middleware = (ctx, next) => {
    const group = this.#groups.get(firstWord(ctx.path));
    return group ? group.middleware(ctx, next) : next();
  };
}

function firstWord(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
