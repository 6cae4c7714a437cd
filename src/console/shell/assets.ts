// The stylesheet of the console, the script of all pages of people who have signed in, and that of pages with keys.

import { loadScript, loadStyle } from "../../http/wire/page-assets.ts";

export const style = loadStyle(
  "src/console/style.css",
  "src/console/builder.css",
  "src/console/people.css",
  "src/console/results.css",
  "src/console/languages.css",
);

export const copyScript = loadScript("src/console/copy.js");

/** The script that says times by the clocks of the reader. */
export const timeScript = loadScript("src/console/times.js");

/** The script of pages with keys. */
export const shortcutScript = loadScript("src/console/shortcuts.js");
