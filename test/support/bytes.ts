// Looks for texts, and for other bytes, in all files of a folder.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** Where each text is found: `<file>: <text>`. Upper and lower case of ASCII letters are the same. */
export function findBytes(folder: string, texts: readonly (string | Buffer)[]): string[] {
  const needles = texts.map((wanted) => ({
    text: typeof wanted === "string" ? wanted : wanted.toString("hex"),
    bytes: lower(Buffer.from(wanted)),
  }));
  const copy = mkdtempSync(join(tmpdir(), "screening-bytes-"));
  try {
    // By a process of its own: one that closes a store's file loses the locks that it has there. A file may be removed meanwhile.
    spawnSync("cp", ["-r", `${folder}/.`, copy]);
    return readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = lower(readFileSync(path));
        const name = join(folder, relative(copy, path));
        return needles.filter((needle) => bytes.includes(needle.bytes)).map(({ text }) => `${name}: ${text}`);
      });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function lower(bytes: Buffer): Buffer {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 65 && bytes[i]! <= 90) bytes[i]! += 32;
  return bytes;
}
