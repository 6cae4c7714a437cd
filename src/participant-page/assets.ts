// The stylesheet and the icon of the pages, sent by this service. Their names contain a hash of their content, so that a
// browser fetches each version once.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Asset {
  /** Its file name in a URL. */
  file: string;
  type: string;
  bytes: Buffer;
}

export const style = load("style", "css", "text/css");
export const icon = load("icon", "svg", "image/svg+xml");

/**
 * The asset with that file name. It is also found by the hash of another version: a page from an older or newer process
 * needs a stylesheet, too.
 */
export function findAsset(requested: string): { asset: Asset; isCurrent: boolean } | undefined {
  const [, name, extension] = /^(\w+)\.[0-9a-f]{16}\.(\w+)$/.exec(requested) ?? [];
  const asset = [style, icon].find(({ file }) => file.startsWith(`${name}.`) && file.endsWith(`.${extension}`));
  return asset && { asset, isCurrent: asset.file === requested };
}

function load(name: string, extension: string, type: string): Asset {
  const bytes = readFileSync(new URL(`${name}.${extension}`, import.meta.url));
  return { file: `${name}.${hash("sha256", bytes).slice(0, 16)}.${extension}`, type, bytes };
}
