// A web process that reports how long its event loop stood still.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopDelay } from "./loop-delay.ts";
import type { Installation, WebProcess } from "./process.ts";
import { until } from "./until.ts";

export function measuredWeb(installation: Installation): Promise<WebProcess> {
  return installation.web({
    preload: ["test/support/loop-delay.ts"],
    env: { LOOP_DELAY_FILE: delayFile(installation) },
  });
}

/** What has been measured since the last call. */
export async function loopDelay(installation: Installation, web: WebProcess): Promise<LoopDelay> {
  const file = delayFile(installation);
  rmSync(file, { force: true });
  web.signal("SIGUSR2");
  return until(() => {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as LoopDelay;
    } catch {
      return undefined;
    }
  }, "the process reports how long its loop stood still");
}

function delayFile({ dataDir }: Installation): string {
  return join(dataDir, "loop-delay.json");
}
