// The scripts of pages, as they were bundled when the service was compiled (src/build.mjs).

import { readdirSync, readFileSync } from "node:fs";
import { BUILD } from "../../../db/root.ts";
import { type Asset, scriptOf } from "../../http/wire/page-assets.ts";

/** By their names in the build. Read once, with the first page that has one. */
let loaded: ReadonlyMap<string, Asset> | undefined;

function load(): ReadonlyMap<string, Asset> {
  const folder = new URL("islands/", BUILD);
  return new Map(readdirSync(folder).map((file) => [file, scriptOf(file, readFileSync(new URL(file, folder)))]));
}

function all(): ReadonlyMap<string, Asset> {
  loaded ??= load();
  return loaded;
}

export const islandOf = (file: "builder.js" | "look.js"): Asset => all().get(file)!;

/** All scripts. */
export const allIslands = (): Asset[] => [...all().values()];
