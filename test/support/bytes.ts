// Looks for texts in the bytes of all files of a folder.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where each text is found: `<file>: <text>`. Upper and lower case of ASCII letters are the same. */
export function findBytes(folder: string, texts: readonly string[]): string[] {
  const needles = texts.map((text) => ({ text, bytes: lower(Buffer.from(text)) }));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = read(path);
      return needles.filter((needle) => bytes.includes(needle.bytes)).map(({ text }) => `${path}: ${text}`);
    });
}

/** A file may have been removed since it was listed. */
function read(path: string): Buffer {
  try {
    return lower(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

function lower(bytes: Buffer): Buffer {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 65 && bytes[i]! <= 90) bytes[i]! += 32;
  return bytes;
}
