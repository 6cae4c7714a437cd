// The scripts of pages, as they were bundled when the service was compiled (src/build.mjs).

import { readdirSync, readFileSync } from "node:fs";
import { BUILD } from "../../../db/root.ts";
import { type Asset, scriptOf } from "../../http/wire/page-assets.ts";

const folder = () => new URL("islands/", BUILD);

const loaded = new Map<string, Asset>();

/** @param file its name in the build */
export function islandOf(file: string): Asset {
  let asset = loaded.get(file);
  if (!asset) {
    asset = scriptOf(file, readFileSync(new URL(file, folder())));
    loaded.set(file, asset);
  }
  return asset;
}

/** All scripts. */
export const allIslands = (): Asset[] => readdirSync(folder()).map(islandOf);
