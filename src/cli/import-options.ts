// The options of the command `import`, and what they say of the file.

import type { Decimals } from "../attribute-types/values.ts";
import type { ImportFile, MatchKey, MaxRemovals } from "../nouns/screener-participants/resource.ts";

export interface Options {
  workspace: string;
  screener: string;
  fullSync?: true;
  dryRun?: true;
  map: NonNullable<ImportFile["columns"]>;
  maxRemovals: MaxRemovals;
  skipErrors?: true;
  expectedRows?: number;
  includeJoined?: true;
  matchBy?: MatchKey;
  decimals?: Decimals;
  allow: readonly string[];
  yes?: true;
  json?: true;
  note?: string;
}

/** The settings of a job that plans the import. */
export function settingsOf(options: Options, format: ImportFile["format"]): ImportFile {
  const { screener, fullSync, map, skipErrors, maxRemovals, expectedRows, includeJoined, matchBy, decimals } = options;
  return {
    format,
    screenerId: screener,
    importMode: fullSync ? "FULL_SYNC" : "UPDATES_ONLY",
    dryRun: true,
    // It would not count where nobody is removed.
    ...(fullSync && { maxRemovals }),
    onRowError: skipErrors ? "SKIP" : "REJECT_ALL",
    expectedRows,
    includeJoined,
    matchBy,
    decimals,
    columns: map,
  };
}
