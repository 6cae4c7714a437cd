// Where the project's files are, for code that is read from the TypeScript files and for code that was compiled.

/** Set when it was compiled (src/build.mjs): the URL of the build, from here. */
declare const COMPILED: string | undefined;

/** The folder of the build that this is part of, dist/<hash>/. Undefined: this is read from the TypeScript file. */
export const BUILD: URL | undefined =
  typeof COMPILED === "undefined" ? undefined : new URL(`${COMPILED}/`, import.meta.url);

/** The project's folder. */
export const ROOT: URL = BUILD ? new URL("../..", BUILD) : new URL("..", import.meta.url);

/** What a thread runs: for jobs and side tasks, or for mail. */
export const threadFile = (name: "thread" | "mail-thread"): URL =>
  BUILD ? new URL(`${name}.cjs`, BUILD) : new URL(`workers/${name}.ts`, ROOT);

/** Overwrites what is left in unused parts of stores. Not compiled: it is small, and needs only a package. */
export const OVERWRITE: URL = new URL("db/sqlite/overwrite.mjs", ROOT);

/** An empty store of a workspace, in a build (src/build.mjs). */
export const EMPTY_STORE: URL | undefined = BUILD && new URL("empty.sqlite", BUILD);
