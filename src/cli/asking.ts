// Asks at a terminal.

import { createInterface } from "node:readline/promises";

export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Shows lines, and asks. @returns false without a terminal */
export async function asked(question: string, lines: readonly string[]): Promise<boolean> {
  if (!isTerminal()) return false;
  process.stderr.write(`${lines.join("\n")}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
