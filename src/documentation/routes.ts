// /docs, the documentation, which loads nothing from other sites; /openapi.json, which describes the API; /problems, where a problem's
// `type` points.

import { meaningOf, Problem, problemCodes, statusOf } from "../base/problems.ts";
import type { AnyEndpoint } from "../http/endpoint.ts";
import type { SentMessage } from "../http/openapi/messages.ts";
import { describeApi } from "../http/openapi/openapi.ts";
import type { Routes } from "../http/routes.ts";
import { requireCoding } from "../http/wire/codings.ts";
import { setPublic } from "../http/wire/exchange.ts";
import { pageHeaders } from "../http/wire/page-headers.ts";
import { fileOf, referencePage } from "./files.ts";
import { REFERENCE } from "./pages.ts";
import type { Operation, Site } from "./site.tsx";

/** Adds the routes that describe the service. A proxy may have it below a path: that of `publicUrl`. */
export function documentationRoutes(
  routes: Routes,
  endpoints: readonly AnyEndpoint[],
  messages: readonly SentMessage[],
  publicUrl: string,
): void {
  const below = new URL(publicUrl).pathname.replace(/\/$/, "");
  const docs = `${below}/docs`;
  let loaded: Site | undefined;
  // With the first reader: few processes have one.
  const loadSite = async () => {
    const { Site } = await import("./site.tsx");
    loaded ??= new Site({
      page: (name) => (name === undefined ? docs : `${docs}/${name}`),
      file: (name) => `${docs}/${name}`,
      inSearch: (name) => name,
    });
    return loaded;
  };
  let described: { paths: Record<string, Record<string, Operation>> } | undefined;
  const describe = () => {
    described ??= describeApi(endpoints, messages, below || "/") as typeof described & {};
    return described;
  };
  let description: string | undefined;
  let search: Promise<string> | undefined;
  let reference: string | undefined;
  const headersWith = (...styles: string[]) =>
    pageHeaders({
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", ...styles],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
    });
  const plain = headersWith();
  // Swagger UI sets style attributes.
  const ofReference = headersWith("'unsafe-inline'");

  routes.at("/openapi.json").get("/openapi.json", (ctx) => {
    ctx.state.route = "/openapi.json";
    requireCoding(ctx);
    description ??= JSON.stringify(describe());
    ctx.type = "application/json";
    ctx.body = description;
  });
  routes.at("/docs").get("/docs", async (ctx) => {
    ctx.set(plain);
    ctx.state.route = "/docs";
    requireCoding(ctx);
    const site = await loadSite();
    ctx.type = "html";
    ctx.body = site.home();
  });
  routes.at("/docs/:file").get("/docs/:file", async (ctx) => {
    const name = ctx.params.file ?? "";
    ctx.set(name === REFERENCE ? ofReference : plain);
    ctx.state.route = "/docs/:file";
    requireCoding(ctx);
    const site = await loadSite();
    if (name === "search.json") {
      search ??= site.search(describe().paths).then(JSON.stringify);
      ctx.type = "application/json";
      ctx.body = await search;
      return;
    }
    if (name === REFERENCE) reference ??= referencePage(docs, `${docs}/`, `${below}/openapi.json`);
    const page = name === REFERENCE ? reference : site.page(name);
    if (page !== undefined) {
      ctx.type = "html";
      ctx.body = page;
      return;
    }
    const file = fileOf(name);
    if (!file) throw new Problem("route_not_found");
    ctx.type = file.type;
    // Ours change with the pages. Those of packages are large, and change with their versions.
    if (file.isOfPackage) setPublic(ctx, "public, max-age=3600");
    ctx.body = file.bytes;
  });
  routes.at("/problems/:code").get("/problems/:code", (ctx) => {
    ctx.state.route = "/problems/:code";
    requireCoding(ctx);
    const code = problemCodes.find((known) => known === ctx.params.code);
    if (!code) throw new Problem("route_not_found");
    ctx.body = { code, status: statusOf(code), meaning: meaningOf(code) };
  });
}
