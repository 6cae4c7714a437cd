// Which release this process is of, and what it was built from.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { currentVersion } from "../../db/migrate.ts";
import { BUILD, ROOT } from "../../db/root.ts";

export const RELEASE = {
  /** The version in package.json. */
  version: JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")).version as string,
  /** Names the code: a hash of the files that were compiled. null: the process reads these files themselves. */
  build: BUILD ? basename(BUILD.pathname).slice(0, 12) : null,
  node: process.versions.node,
  /** The schema versions of the stores that it writes. */
  schema: { control: currentVersion("control"), workspace: currentVersion("workspace") },
};
