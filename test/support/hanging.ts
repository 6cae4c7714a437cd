// Test files that hang. node:test limits how long a test takes, but not what a file does before its first test and after its last one.

import { readdirSync, readFileSync } from "node:fs";

/** No file takes a third of it, and no group of files that shares a process half of what that may take. */
const LIMIT_S = 600;
const GROUP_LIMIT_S = 3 * LIMIT_S;
/** Of the times in /proc. */
const TICKS_A_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  seconds: number;
  command: string;
}

/** Kills the test files that this process has begun too long ago, with what they have started; and says what they were waiting for. */
export function killHanging(): void {
  const processes = everyProcess();
  for (const file of processes.filter(({ parent }) => parent === process.pid)) {
    // Redis, and what a benchmark starts, is no test file.
    const [, name] = /([^/]+)\.test\.[jt]s/.exec(file.command) ?? [];
    if (name === undefined || file.seconds <= (/^group-/.test(name) ? GROUP_LIMIT_S : LIMIT_S)) continue;
    const family = [file];
    for (const { pid } of family) family.push(...processes.filter(({ parent }) => parent === pid));
    const lines = family.map(
      ({ pid, parent, seconds, command }) => `  ${pid} (of ${parent}) ${seconds} s: … ${command.slice(-150)}\n`,
    );
    process.stderr.write(`A test file, or a group, has run for ${file.seconds} s, and is killed:\n${lines.join("")}`);
    for (const { pid } of family.reverse()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}

/** All processes, by /proc; none without /proc. */
function everyProcess(): Process[] {
  try {
    const [uptime] = readFileSync("/proc/uptime", "utf8").split(" ");
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          // The name of the program, in parentheses, may have spaces.
          const stat = readFileSync(`/proc/${name}/stat`, "utf8")
            .replace(/^.*\) /s, "")
            .split(" ");
          const seconds = Math.round(Number(uptime) - Number(stat[19]) / TICKS_A_SECOND);
          const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
          return [{ pid: Number(name), parent: Number(stat[1]), seconds, command }];
        } catch {
          return []; // It has ended meanwhile.
        }
      });
  } catch {
    return [];
  }
}
