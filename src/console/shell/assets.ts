// The stylesheet of the console, and the script of all pages of people who have signed in.

import { loadScript, loadStyle } from "../../http/wire/page-assets.ts";

export const style = loadStyle(
  "src/console/style.css",
  "src/console/builder.css",
  "src/console/people.css",
  "src/console/results.css",
  "src/console/languages.css",
);

export const copyScript = loadScript("src/console/copy.js");
