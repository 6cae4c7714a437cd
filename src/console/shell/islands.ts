// The scripts of pages, each bundled into one file when a page needs it for the first time.

import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { ROOT } from "../../../db/root.ts";
import { type Asset, scriptOf } from "../../http/wire/page-assets.ts";

const BUILDER = "src/console/islands/builder.tsx";
const STAND_INS = "./src/console/islands/stand-ins.js";

let loading: Promise<Asset> | undefined;

/** The script of the builder. @throws Error when it can't be bundled */
export function loadBuilder(): Promise<Asset> {
  loading ??= bundle(BUILDER).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** All scripts. */
export async function loadIslands(): Promise<Asset[]> {
  return [await loadBuilder()];
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

/** The preview comes from the service, and so do charts: what shows questions and results to people is not sent to browsers. */
const withoutPages: Plugin = {
  name: "without-pages",
  setup(build) {
    build.onLoad({ filter: /[\\/]question-types[\\/](?:(?:select-|date-)?field\.tsx|charts[\\/]\w+\.tsx?)$/ }, () => ({
      contents: "",
    }));
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
