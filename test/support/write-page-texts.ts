// Writes docs/words.txt: `npm run words`.

import { writeFileSync } from "node:fs";
import { ROOT } from "../../db/root.ts";
import { pageTexts } from "./page-texts.ts";

writeFileSync(new URL("docs/words.txt", ROOT), `${pageTexts().join("\n")}\n`);
