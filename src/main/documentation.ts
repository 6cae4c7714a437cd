// Writes the documentation as a folder that any web server can show: `npm run docs`, or `npm run docs -- <folder>`.

import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { eventMessages } from "../api/event-schemas.ts";
import { FILE_NAMES, fileOf, referencePage } from "../documentation/files.ts";
import { PAGES, REFERENCE } from "../documentation/pages.ts";
import { type Operation, Site } from "../documentation/site.tsx";
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

/** What a folder has that was written here. */
const MARKS = ["index.html", "openapi.json", "search.json"];

/** Whether it would take away something else. */
function isOfOthers(folder: string): boolean {
  if (!existsSync(folder)) return false;
  if (!statSync(folder).isDirectory()) return true;
  const names = readdirSync(folder);
  return names.length > 0 && !MARKS.every((name) => names.includes(name));
}

/** Writes it where the arguments say. @returns what to print @throws Error that says why nothing was written */
export async function writeWhere([named = FOLDER, ...more]: readonly string[]): Promise<string> {
  if (more.length || named.startsWith("-")) throw new Error("Name one folder: npm run docs -- FOLDER.");
  const folder = resolve(named);
  if (isOfOthers(folder))
    throw new Error(
      `${folder} has something else, which would go: name a new folder, an empty one, or one that this command has written.`,
    );
  return `${await writeSite(folder)} pages are in ${folder}.`;
}

if (import.meta.main)
  await writeWhere(process.argv.slice(2)).then(
    (said) => process.stdout.write(`${said}\n`),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    },
  );
