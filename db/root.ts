// Where the project's files are, for code that is read from the TypeScript files and for code that was compiled.

/** Set when it was compiled: then this runs in dist/<hash>/ (src/compiled.mjs). */
declare const IS_COMPILED: true | undefined;

/** The project's folder. */
export const ROOT: URL = new URL(typeof IS_COMPILED === "undefined" ? ".." : "../..", import.meta.url);
