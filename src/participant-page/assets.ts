// The pages' stylesheet and icon: from this service, never from another; named by their content, so that a browser
// asks for each version once.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Asset {
  /** Its name in a URL. */
  file: string;
  type: string;
  bytes: Buffer;
}

export const style = load("style", "css", "text/css");
export const icon = load("icon", "svg", "image/svg+xml");

/**
 * The file of that name. Another version's name gives today's content: a page that an older process has served, or a
 * newer one, must not stand there without its looks.
 */
export function findAsset(file: string): { asset: Asset; isCurrent: boolean } | undefined {
  const [, name, extension] = /^(\w+)\.[0-9a-f]{16}\.(\w+)$/.exec(file) ?? [];
  const asset = [style, icon].find((one) => one.file.startsWith(`${name}.`) && one.file.endsWith(`.${extension}`));
  return asset && { asset, isCurrent: asset.file === file };
}

function load(name: string, extension: string, type: string): Asset {
  const bytes = readFileSync(new URL(`${name}.${extension}`, import.meta.url));
  return { file: `${name}.${hash("sha256", bytes).slice(0, 16)}.${extension}`, type, bytes };
}
