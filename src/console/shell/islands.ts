// The scripts of pages, each bundled into one file when a page needs it for the first time.

import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { ROOT } from "../../../db/root.ts";
import { type Asset, scriptOf } from "../../http/wire/page-assets.ts";

const BUILDER = "src/console/islands/builder.tsx";
const LOOK = "src/console/islands/look/look.ts";
const STAND_INS = "./src/console/islands/stand-ins.js";

const loading = new Map<string, Promise<Asset>>();

/** @throws Error when it can't be bundled */
function load(path: string): Promise<Asset> {
  let asset = loading.get(path);
  if (!asset) {
    asset = bundle(path).catch((error) => {
      loading.delete(path);
      throw error;
    });
    loading.set(path, asset);
  }
  return asset;
}

/** The script of the builder. */
export const loadBuilder = (): Promise<Asset> => load(BUILDER);

/** The script of the page Appearance. */
export const loadLook = (): Promise<Asset> => load(LOOK);

/** All scripts. */
export async function loadIslands(): Promise<Asset[]> {
  return [await loadBuilder(), await loadLook()];
}

/** The service alone answers with problems: their texts are not sent to browsers. */
const withoutProblems: Plugin = {
  name: "without-problems",
  setup(build) {
    build.onLoad({ filter: /[\\/]base[\\/]problem-catalogue\.ts$/ }, () => ({
      contents: "export const catalogue = {}",
    }));
  },
};

/** The preview comes from the service, and so do charts and ids: what shows questions and results to people is not sent to browsers. */
const withoutPages: Plugin = {
  name: "without-pages",
  setup(build) {
    for (const filter of [
      /[\\/]question-types[\\/](?:(?:select-|date-)?field\.tsx|charts[\\/]\w+\.tsx?)$/,
      /[\\/]base[\\/]ids\.ts$/,
    ])
      build.onLoad({ filter }, () => ({ contents: "" }));
  },
};

async function bundle(path: string): Promise<Asset> {
  const { build, stop } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      absWorkingDir: fileURLToPath(ROOT),
      entryPoints: [path],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      alias: Object.fromEntries(["node:crypto", "markdown-it", "lru-cache", "re2js"].map((name) => [name, STAND_INS])),
      plugins: [withoutProblems, withoutPages],
      write: false,
      outdir: "/",
      logLevel: "silent",
    });
    return scriptOf(path, outputFiles[0]!.contents);
  } finally {
    // It would keep a process.
    await stop();
  }
}
