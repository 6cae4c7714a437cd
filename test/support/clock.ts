// A clock for processes of the service that a test sets while they run.

import assert from "node:assert/strict";
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./folder.ts";
import { findOrInstall } from "./programs.ts";

export interface Clock {
  env: Record<string, string>;
  /** Sets it by so many hours ahead of the right time. */
  set(hours: number): void;
  setBack(): void;
}

/** A clock that is so many hours ahead, until it is set. */
export function clock(hours = 24): Clock {
  findOrInstall(["faketime"], "faketime");
  const [library] = globSync("/usr/lib/**/faketime/libfaketimeMT.so.1");
  assert.ok(library, "faketime brings its library");
  const file = join(newFolder(), "now");
  const set = (ahead: number) => writeFileSync(file, `+${ahead}h`);
  set(hours);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    },
    set,
    setBack: () => set(0),
  };
}
