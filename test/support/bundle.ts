// Test files with all that they import, compiled once a run. The process of a file reads a few files then, instead of 700 of
// TypeScript: that was a quarter of what the suite computed.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Loader } from "esbuild";
import { ROOT } from "../../db/root.ts";

const PROJECT = fileURLToPath(ROOT);
const LOADERS: Record<string, Loader> = { ".ts": "ts", ".tsx": "tsx", ".mjs": "js" };

const GROUPED = "test/support/grouped.ts";

/** What tests have processes of the service load first. Each process, and each of its threads, would compile it anew. */
const PRELOADS = ["kill-at", "later", "loop-delay", "pause-at", "pause-step", "short-minutes"].map(
  (name) => `test/support/${name}.ts`,
);

/** What carries the jobs of the tests' services. */
export type Carrier = "threads" | "redis";

/** What a test file is called that runs with Redis between web processes and workers. */
export const nameOnRedis = (file: string) => `${file} on Redis`;

/** Whether tests of a file run in suites, some at once: that is left to Node. */
export const hasSuites = (file: string) => /\b(?:describe|suite)\b.* from "node:test"/.test(readFileSync(file, "utf8"));

export interface Bundle {
  /** A file to load first: it has stack traces name the sources. (Node's own option reads the maps of packages, too.) Threads run the service's build. */
  sourceMaps: string;
  /** The compiled file of a test file. */
  compiledOf(file: string): string;
  /**
   * Writes a file that runs some of the test files in one process. @param timeout of a test, in ms. @param names what the tests are called
   * that run: without it, all. @returns its path
   */
  groupOf(files: string[], carrier: Carrier, timeout: number, names?: RegExp[]): string;
  /** Where what processes load first is, below the path of its source. */
  folder: string;
  /** The test file, from the project's root, of what was compiled. */
  sourceOf(compiled: string): string;
  remove(): void;
}

/**
 * Compiles test files. @param files from the project's root. @param service the build that their threads run. @throws Error when
 * something does not compile
 */
export async function bundle(files: string[], service: string): Promise<Bundle> {
  mkdirSync(join(PROJECT, "dist"), { recursive: true });
  // In the project, so that packages and package.json are found.
  const folder = mkdtempSync(join(PROJECT, "dist/.tests-"));
  await build({
    absWorkingDir: PROJECT,
    entryPoints: [...files, GROUPED, ...PRELOADS],
    outdir: folder,
    outbase: PROJECT,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node24",
    sourcemap: true,
    sourcesContent: false,
    define: { COMPILED: JSON.stringify(pathToFileURL(service).href) },
    logLevel: "error",
    plugins: [
      {
        name: "files of a group have the tests of their group",
        setup(compiling) {
          compiling.onResolve({ filter: /^node:test$/ }, ({ importer }) =>
            importer.endsWith(GROUPED) || hasSuites(importer) ? { external: true } : { path: join(PROJECT, GROUPED) },
          );
        },
      },
      {
        name: "each module knows the path of its source",
        setup(compiling) {
          compiling.onLoad({ filter: /\.(?:tsx?|mjs)$/ }, ({ path }) => {
            const contents = readFileSync(path, "utf8")
              .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
              // No test file is a program that asks.
              .replaceAll("import.meta.main", "false");
            return { contents, loader: LOADERS[extname(path)]!, resolveDir: dirname(path) };
          });
        },
      },
    ],
  });
  const compiledOf = (file: string) => join(folder, file.replace(/\.ts$/, ".js"));
  const sourceMaps = join(folder, "source-maps.mjs");
  writeFileSync(
    sourceMaps,
    'import { setSourceMapsSupport } from "node:module";\nimport { isMainThread } from "node:worker_threads";\nif (isMainThread) setSourceMapsSupport(true);\n',
  );
  let groups = 0;
  return {
    folder,
    sourceMaps,
    compiledOf,
    groupOf(grouped, carrier, timeout, names) {
      const loads = grouped.map((file) => {
        const name = carrier === "redis" ? nameOnRedis(file) : file;
        return `${JSON.stringify(name)}: () => import(${JSON.stringify(compiledOf(file))})`;
      });
      const path = join(folder, `group-${++groups}.test.js`);
      writeFileSync(
        path,
        `import { runGroup } from ${JSON.stringify(compiledOf(GROUPED))};\nprocess.env.CARRIER = ${JSON.stringify(carrier)};\nrunGroup({ ${loads.join(", ")} }, ${timeout}${names ? `, [${names.join(", ")}]` : ""});\n`,
      );
      return path;
    },
    sourceOf: (compiled) => relative(folder, compiled).replace(/\.js$/, ".ts"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
