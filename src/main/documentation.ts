// Writes the documentation as a folder that any web server can show: `npm run docs`, or `npm run docs -- <folder>`.

import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { eventMessages } from "../api/event-schemas.ts";
import { FILE_NAMES, fileOf, referencePage } from "../documentation/files.ts";
import { PAGES } from "../documentation/pages.ts";
import { type Operation, REFERENCE, Site } from "../documentation/site.tsx";
import { describeApi } from "../http/openapi/openapi.ts";
import { endpoints } from "./app.ts";

/** Where it is written, when no other folder is named. */
const FOLDER = "docs-site";

/** Writes all pages and files. What was in the folder goes. @returns how many pages */
export async function writeSite(folder: string): Promise<number> {
  const site = new Site({
    page: (name = "index") => `${name}.html`,
    file: (name) => name,
    inSearch: (name) => `${name}.html`,
  });
  const description = describeApi(endpoints, eventMessages);
  const { paths } = description as { paths: Record<string, Record<string, Operation>> };
  const pages: Record<string, string> = {
    "index.html": site.home(),
    [`${REFERENCE}.html`]: referencePage("index.html", "", "openapi.json"),
    ...Object.fromEntries(PAGES.map(({ name }) => [`${name}.html`, site.page(name)!])),
  };
  const files: Record<string, string | Buffer> = {
    ...pages,
    "openapi.json": JSON.stringify(description),
    "search.json": JSON.stringify(await site.search(paths)),
    ...Object.fromEntries(FILE_NAMES.map((name) => [name, fileOf(name)!.bytes])),
  };
  rmSync(folder, { recursive: true, force: true });
  makeFolders(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return Object.keys(pages).length;
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? FOLDER);
  const count = await writeSite(folder);
  process.stdout.write(`${count} pages are in ${folder}.\n`);
}
