// Pictures of pages, as WebP: Playwright itself writes none, and it needs a quarter of what PNG does.

import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Taller pages are cut off: WebP has at most 16,383 pixels, and nobody looks at more. */
const MAX_HEIGHT = 6000;
/** Of WebP: letters are still sharp, and the pictures of all pages together are below 4 MB. */
const QUALITY = 25;

/** Removes those of pages that are no more. */
export function removePictures(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const old of globSync("*.webp", { cwd: folder })) rmSync(join(folder, old));
}

/** Photographs the whole page that is open, as wide as it is. @param path that it is named by, without the ids in it */
export async function photograph(page: Page, folder: string, path: string): Promise<void> {
  const name = path
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "one")
    .replace(/^\/(?:console\/)?/, "")
    .replaceAll(/[^\w]+/g, "-");
  const [width, height] = await page.evaluate<[number, number]>(
    "[window.innerWidth, document.documentElement.scrollHeight]",
  );
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    ...{ format: "webp", quality: QUALITY, captureBeyondViewport: true },
    clip: { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT), scale: 1 },
  });
  writeFileSync(join(folder, `${name}-${width}.webp`), Buffer.from(data, "base64"));
  await session.detach();
}
