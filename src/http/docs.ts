// /openapi.json; /docs, which shows it and loads nothing from other sites; /problems, where a problem's `type` points.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import helmet from "koa-helmet";
import { meaningOf, Problem, problemCodes, statusOf } from "../problems.ts";
import { requireCoding } from "./codings.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { describeApi } from "./openapi.ts";
import type { Routes } from "./routes.ts";

const assets: Record<string, string> = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
  "favicon-32x32.png": "image/png",
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Screening service: API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/** Adds the routes that describe the API. */
export function docsRoutes(routes: Routes, endpoints: readonly AnyEndpoint[]): void {
  let document: string | undefined;
  const files = new Map<string, Buffer>();
  const guard = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Swagger UI sets style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // The service speaks plain HTTP. The proxy that terminates TLS decides whether to require HTTPS.
    strictTransportSecurity: false,
  });
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

  routes.at("/openapi.json").get("/openapi.json", (ctx) => {
    ctx.state.route = "/openapi.json";
    requireCoding(ctx);
    document ??= JSON.stringify(describeApi(endpoints));
    ctx.type = "application/json";
    ctx.body = document;
  });
  routes.at("/docs").get("/docs", guard, (ctx) => {
    ctx.state.route = "/docs";
    requireCoding(ctx);
    ctx.type = "html";
    ctx.body = page;
  });
  routes.at("/docs/:file").get("/docs/:file", guard, (ctx) => {
    ctx.state.route = "/docs/:file";
    requireCoding(ctx);
    const file = ctx.params.file ?? "";
    if (file === "start.js") {
      ctx.type = "text/javascript";
      ctx.body = start;
      return;
    }
    if (!Object.hasOwn(assets, file)) throw new Problem("route_not_found");
    ctx.type = assets[file]!;
    ctx.set("Cache-Control", "public, max-age=3600");
    let bytes = files.get(file);
    if (!bytes) {
      bytes = readFileSync(join(folder, file));
      files.set(file, bytes);
    }
    ctx.body = bytes;
  });
  routes.at("/problems/:code").get("/problems/:code", (ctx) => {
    ctx.state.route = "/problems/:code";
    requireCoding(ctx);
    const code = problemCodes.find((known) => known === ctx.params.code);
    if (!code) throw new Problem("route_not_found");
    ctx.body = { code, status: statusOf(code), meaning: meaningOf(code) };
  });
}
