// The documents that /docs shows, in the order in which they are read. The files are what is true: titles and texts come from them.

import { existsSync, readdirSync } from "node:fs";
import { basename, extname } from "node:path";
import { ROOT } from "../../db/root.ts";

/** What the reference of the API is called here. */
export const REFERENCE = "reference";

/** A page: a document, by the name that its address ends with. */
export interface Page {
  name: string;
  /** From the project's folder. */
  file: string;
}

const pages = (...files: string[]): Page[] =>
  files
    .map((file) => ({
      name: file.startsWith("clients/") ? file.split("/")[1]! : basename(file, ".md").toLowerCase(),
      file,
    }))
    // An installed service has no clients.
    .filter(({ file }) => existsSync(new URL(file, ROOT)));

export const GROUPS: { title: string; pages: Page[] }[] = [
  {
    title: "Begin",
    pages: pages("docs/tutorial.md", "docs/console.md", "docs/vocabulary.md"),
  },
  {
    title: "Programs",
    pages: pages("docs/client.md", "clients/python/README.md", "docs/nightly-sync.md", "docs/follow-the-feed.md"),
  },
  {
    title: "What the API promises",
    pages: pages(
      "docs/contract.md",
      ...[
        "conventions",
        "resources",
        "content",
        "quotas",
        "sessions",
        "participant-pages",
        "imports",
        "jobs",
        "people",
        "exports",
        "mailings",
        "events",
      ].map((name) => `docs/contract/${name}.md`),
    ),
  },
  {
    title: "People's data",
    pages: pages("docs/privacy.md", "docs/signals.md"),
  },
  {
    title: "Operations",
    pages: pages("docs/operations.md", "docs/metrics.md", "docs/faults.md", "docs/scale.md"),
  },
  {
    title: "The project",
    pages: pages("docs/design.md", "CHANGELOG.md"),
  },
];

export const PAGES: Page[] = GROUPS.flatMap((group) => group.pages);

/** Files that documents link to, or show, by the names that their addresses end with: `mirror.ts` for `docs/examples/mirror.ts`. */
export const FILES: ReadonlyMap<string, string> = new Map(
  ["docs/examples", "docs/pictures"]
    .filter((folder) => existsSync(new URL(folder, ROOT)))
    .flatMap((folder) => readdirSync(new URL(folder, ROOT)).map((name) => `${folder}/${name}`))
    .filter((file) => extname(file) !== "")
    .concat("docs/requests.http")
    .map((file) => [basename(file), file]),
);
