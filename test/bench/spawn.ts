// Processes that the benchmark starts: as in production, each with its output in a file, so that nobody has to read it.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { PROGRAMS } from "../../src/build.mjs";
import { nodeArguments } from "../support/process.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);

// What the benchmark leaves running ends with it.
const alive = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

export class Spawned {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #ended: Promise<void>;

  /**
   * Runs a program of the service, or a TypeScript file of the project, with this Node. Its output goes to the file `log`. @param root the
   * folder of another release
   */
  constructor(script: string, args: string[], env: Record<string, string>, log: string, root = ROOT) {
    const output = openSync(log, "w");
    const name = Object.keys(PROGRAMS).find((one) => PROGRAMS[one] === script);
    const ofToday = name ? ["src/run.mjs", "--build", name] : [script];
    const program = root === ROOT ? ofToday : nodeArguments(script, root);
    const young = name === "web" ? ["--max-semi-space-size=4"] : [];
    this.#child = spawn(process.execPath, [...young, ...program, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    alive.add(this.#child);
    this.pid = this.#child.pid!;
    this.#log = log;
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", () => {
        alive.delete(this.#child);
        resolve();
      });
    });
  }

  /** Resolves with the match as soon as it has written it. Rejects when it has ended without. */
  says(pattern: RegExp, ms = 60_000): Promise<RegExpExecArray> {
    return until(
      () => {
        const ended = this.#child.exitCode ?? this.#child.signalCode;
        const text = readFileSync(this.#log, "utf8");
        const match = pattern.exec(text);
        if (!match && ended !== null) throw new Error(`A process ended (${ended}): ${text}`);
        return match;
      },
      `a process says ${pattern}`,
      ms,
    );
  }

  /** Memory that it holds now, and the most that it has held since `resetPeak`, in MB. */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
    return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
  }

  /** The processor time that it has taken, in seconds, to a hundredth. */
  cpuSeconds(): number {
    return cpuSeconds(this.pid);
  }

  /** The processor time that the threads which are still there have taken, in ms, as exactly as the kernel counts it. */
  threadsMs(): number {
    const threads = readdirSync(`/proc/${this.pid}/task`);
    const nanoseconds = threads.map((id) => {
      const [first] = readFileSync(`/proc/${this.pid}/task/${id}/schedstat`, "utf8").split(" ");
      return Number(first);
    });
    return nanoseconds.reduce((sum, one) => sum + one) / 1e6;
  }

  resetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, "5");
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

/** The processor time that a process has taken, with its threads, in seconds, to a hundredth. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
