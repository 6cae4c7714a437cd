// /openapi.json; /docs, which shows it and loads nothing from other sites; /problems, where a problem's `type` points.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../../db/root.ts";
import { meaningOf, Problem, problemCodes, statusOf } from "../../base/problems.ts";
import type { AnyEndpoint } from "../endpoint.ts";
import type { Routes } from "../routes.ts";
import { requireCoding } from "../wire/codings.ts";
import { pageHeaders } from "../wire/page-headers.ts";
import type { SentMessage } from "./messages.ts";
import { describeApi } from "./openapi.ts";

/** Swagger UI's files and ours, by their folder, with their media types. */
const assets: Record<string, { type: string; ours?: true }> = {
  "swagger-ui.css": { type: "text/css" },
  "swagger-ui-bundle.js": { type: "text/javascript" },
  "favicon-32x32.png": { type: "image/png" },
  "start.js": { type: "text/javascript", ours: true },
  "style.css": { type: "text/css", ours: true },
};

const OURS = fileURLToPath(new URL("src/http/openapi/docs", ROOT));

/** Adds the routes that describe the API. A proxy may have the service below a path: that of `publicUrl`. */
export function docsRoutes(
  routes: Routes,
  endpoints: readonly AnyEndpoint[],
  messages: readonly SentMessage[],
  publicUrl: string,
): void {
  let document: string | undefined;
  const below = new URL(publicUrl).pathname.replace(/\/$/, "");
  const page = readFileSync(join(OURS, "page.html"), "utf8").replaceAll('"/', `"${below}/`);
  const files = new Map<string, Buffer>();
  /** Read when it is first asked for. */
  const fileOf = (folder: string, name: string) => {
    const bytes = files.get(name) ?? readFileSync(join(folder, name));
    files.set(name, bytes);
    return bytes;
  };
  const headers = pageHeaders({
    scriptSrc: ["'self'"],
    // Swagger UI sets style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
  });
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

  routes.at("/openapi.json").get("/openapi.json", (ctx) => {
    ctx.state.route = "/openapi.json";
    requireCoding(ctx);
    document ??= JSON.stringify(describeApi(endpoints, messages, below || "/"));
    ctx.type = "application/json";
    ctx.body = document;
  });
  routes.at("/docs").get("/docs", (ctx) => {
    ctx.set(headers);
    ctx.state.route = "/docs";
    requireCoding(ctx);
    ctx.type = "html";
    ctx.body = page;
  });
  routes.at("/docs/:file").get("/docs/:file", (ctx) => {
    ctx.set(headers);
    ctx.state.route = "/docs/:file";
    requireCoding(ctx);
    const name = ctx.params.file ?? "";
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (!asset) throw new Problem("route_not_found");
    ctx.type = asset.type;
    // Ours change with the page. Swagger UI's are large, and change with its version.
    if (!asset.ours) ctx.set("Cache-Control", "public, max-age=3600");
    ctx.body = fileOf(asset.ours ? OURS : folder, name);
  });
  routes.at("/problems/:code").get("/problems/:code", (ctx) => {
    ctx.state.route = "/problems/:code";
    requireCoding(ctx);
    const code = problemCodes.find((known) => known === ctx.params.code);
    if (!code) throw new Problem("route_not_found");
    ctx.body = { code, status: statusOf(code), meaning: meaningOf(code) };
  });
}
