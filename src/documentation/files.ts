// The files that the documentation is made of, beside its pages: ours, Swagger UI's, the search's, and those that documents link to.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../db/root.ts";
import { FILES } from "./pages.ts";

const require = createRequire(import.meta.url);
const ours = (name: string) => [fileURLToPath(new URL(`src/documentation/${name}`, ROOT))];

/** The parts of each file, by the name that its address ends with. Looked for when they are first needed. */
const PARTS: Record<string, () => string[]> = {
  "site.css": () => [fileURLToPath(new URL("src/http/page.css", ROOT)), ...ours("site.css")],
  "search.js": () => ours("search.js"),
  "style.css": () => ours("reference/style.css"),
  "start.js": () => ours("reference/start.js"),
  "minisearch.js": () => [join(dirname(require.resolve("minisearch")), "../es/index.js")],
  "swagger-ui.css": () => [require.resolve("swagger-ui-dist/swagger-ui.css")],
  "swagger-ui-bundle.js": () => [require.resolve("swagger-ui-dist/swagger-ui-bundle.js")],
  "favicon-32x32.png": () => [require.resolve("swagger-ui-dist/favicon-32x32.png")],
  ...Object.fromEntries([...FILES].map(([name, file]) => [name, () => [fileURLToPath(new URL(file, ROOT))]])),
};

export const FILE_NAMES: readonly string[] = Object.keys(PARTS);

const TYPES: Record<string, string> = { ".css": "text/css", ".js": "text/javascript", ".png": "image/png" };

interface SiteFile {
  type: string;
  /** It changes with a package alone. */
  isOfPackage: boolean;
  bytes: Buffer;
}

const read = new Map<string, Buffer>();

/** A file, read when it is first asked for. @returns undefined when there is none of this name */
export function fileOf(name: string): SiteFile | undefined {
  const parts = Object.hasOwn(PARTS, name) ? PARTS[name]!() : undefined;
  if (!parts) return undefined;
  const bytes = read.get(name) ?? Buffer.concat(parts.map((path) => readFileSync(path)));
  read.set(name, bytes);
  return {
    // Documents link to programs to be read.
    type:
      (FILES.has(name) && extname(name) !== ".png" ? undefined : TYPES[extname(name)]) ?? "text/plain; charset=utf-8",
    isOfPackage: parts.some((path) => path.includes("node_modules")),
    bytes,
  };
}

/** The page with the reference of the API. @param home the address of the first page @param files what is before the names of files */
export function referencePage(home: string, files: string, description: string): string {
  const page = readFileSync(ours("reference/page.html")[0]!, "utf8");
  return page.replaceAll("{home}", home).replaceAll("{files}", files).replaceAll("{description}", description);
}
