// Loaded before a command: it waits as soon as it has said a step on stderr.
//   PAUSE_STEP   how the step begins
//   PAUSE_FILE   made when it waits; it goes on when the file is gone

import { isMainThread } from "node:worker_threads";
import { pause } from "./pause-at.ts";

const { PAUSE_STEP, PAUSE_FILE } = process.env;

if (PAUSE_STEP && PAUSE_FILE && isMainThread) {
  const write = process.stderr.write.bind(process.stderr) as (text: string) => boolean;
  process.stderr.write = ((text: string) => {
    const isWritten = write(text);
    if (String(text).startsWith(PAUSE_STEP)) pause(PAUSE_FILE);
    return isWritten;
  }) as typeof process.stderr.write;
}
