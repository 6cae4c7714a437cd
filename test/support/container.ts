// Does what a Containerfile says, without a builder: each stage is a folder, and its commands run in it.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export interface Instruction {
  name: string;
  rest: string;
}

/** The instructions of a Containerfile: one for each line that begins with a word in capitals. */
export function readContainerfile(path: string): Instruction[] {
  const lines = readFileSync(path, "utf8")
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim());
  return lines.map((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (!name || !rest) throw new Error(`This is no instruction: ${line}`);
    return { name, rest };
  });
}

/** What an image says of the processes that run in it. */
export interface Image {
  /** The folder that stands for its root. */
  root: string;
  base: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  volume: string;
  stopSignal: string;
  port: string;
  healthcheck: string[];
  command: string[];
}

/**
 * Runs the instructions in folders below `scratch`, with the files of `context`. Absolute paths of commands lead into the stage's folder.
 * @returns the last stage. @throws Error for an instruction that is not known, and when one fails
 */
export function buildImage(instructions: readonly Instruction[], context: string, scratch: string): Image {
  const stages = new Map<string, Image>();
  let stage: Image | undefined;
  const isRoot = process.getuid?.() === 0;
  for (const { name, rest } of instructions) {
    if (name === "FROM") {
      const [base, , alias = "image"] = rest.split(/ (AS) /);
      const root = join(scratch, alias);
      mkdirSync(root, { mode: 0o755 });
      const none = {
        workdir: "/",
        env: {},
        user: "",
        volume: "",
        stopSignal: "",
        port: "",
        healthcheck: [],
        command: [],
      };
      stage = { root, base: base!, ...none };
      stages.set(alias, stage);
      continue;
    }
    if (!stage) throw new Error(`${name} comes before FROM.`);
    const { root } = stage;
    const cwd = join(root, stage.workdir);
    if (name === "WORKDIR") {
      stage.workdir = rest;
      mkdirSync(join(root, rest), { recursive: true });
    } else if (name === "RUN") {
      // Only root can give files away.
      const shell = `umask 022; ${isRoot ? "" : "chown() { :; }; "}${rest.replace(/(?<= )\/(?=\w)/g, `${root}/`)}`;
      execFileSync("sh", ["-ec", shell], { cwd, stdio: ["ignore", "ignore", "inherit"] });
    } else if (name === "COPY") {
      const [, from, paths] = /^(?:--from=(\w+) )?(.+)$/.exec(rest)!;
      const [target, ...sources] = paths!.split(" ").reverse();
      const folder = from ? stages.get(from)!.root : context;
      for (const source of sources) copy(join(folder, source), join(target!.startsWith("/") ? root : cwd, target!));
    } else if (name === "ENV") {
      for (const pair of rest.split(" ")) stage.env[pair.split("=")[0]!] = pair.split("=")[1]!;
    } else if (name === "USER") stage.user = rest;
    else if (name === "VOLUME") stage.volume = rest;
    else if (name === "EXPOSE") stage.port = rest;
    else if (name === "STOPSIGNAL") stage.stopSignal = rest;
    else if (name === "HEALTHCHECK") stage.healthcheck = JSON.parse(/ CMD (\[.*\])$/.exec(rest)![1]!);
    else if (name === "ENTRYPOINT" || name === "CMD") stage.command.push(...JSON.parse(rest));
    else if (name !== "LABEL") throw new Error(`${name} is not known here.`);
  }
  if (!stage) throw new Error("There is no FROM.");
  return stage;
}

/** As COPY does: a file into a folder or to a name, and of a folder what is in it. */
function copy(source: string, target: string): void {
  const isInto = target.endsWith("/") && !statSync(source).isDirectory();
  mkdirSync(target.replace(isInto ? /$/ : /[^/]*$/, ""), { recursive: true });
  cpSync(source, isInto ? join(target, basename(source)) : target, { recursive: true, verbatimSymlinks: true });
}
