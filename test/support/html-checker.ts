// The Nu HTML checker, as validator.w3.org has it: what is wrong with the HTML of pages.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./programs.ts";

interface Message {
  type: "error" | "info" | "non-document-error";
  /** Of an info: what may be wrong. Without it, it is a hint, such as that XML's slashes say nothing in HTML. */
  subType?: "warning";
  url: string;
  message: string;
  extract?: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Pages that are checked together, because the checker takes a second to start. */
export class HtmlChecker {
  readonly #folder = mkdtempSync(join(tmpdir(), "screening-html-"));
  readonly #names: string[] = [];

  add(name: string, html: string): void {
    // The beginning of the file's name finds it again.
    writeFileSync(join(this.#folder, `${this.#names.push(name) - 1}.html`), html);
  }

  get size(): number {
    return this.#names.length;
  }

  /** @returns errors and warnings, each once, with the first page that has it; undefined without Java */
  check(): string[] | undefined {
    const java = findProgram("java");
    if (!java) return undefined;
    const jar = createRequire(import.meta.url)("vnu-jar") as string;
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const args = ["-Xss8m", "-jar", jar, "--format", "json", "--exit-zero-always", "--stdout", ...files];
    const { stdout, stderr, status } = spawnSync(java, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(stderr);
    const { messages } = JSON.parse(stdout) as { messages: Message[] };
    const found = new Map<string, string>();
    for (const { type, subType, url, message, extract = "" } of messages) {
      if (type === "info" && subType !== "warning") continue;
      const name = this.#names[Number(/(\d+)\.html$/.exec(url)?.[1])];
      // The same is said of each page with it.
      const same = `${message} ${extract}`.replaceAll(UUID, "…");
      if (!found.has(same)) found.set(same, `${name}: ${subType ?? type}: ${same}`);
    }
    return [...found.values()];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
