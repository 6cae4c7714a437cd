// The stylesheet of the console.

import { loadStyle } from "../http/page-assets.ts";

export const style = loadStyle(
  "src/console/style.css",
  "src/console/builder.css",
  "src/console/people.css",
  "src/console/results.css",
);
