// The documents, as tests read them: what stands between backticks, and the shapes of objects in it.

import { globSync, readFileSync } from "node:fs";

export interface Piece {
  /** File and line. */
  at: string;
  text: string;
}

export interface Block extends Piece {
  kind: string;
}

export const textOf = new Map(
  [...globSync("docs/{,contract/}*.md"), "README.md", "CONTRIBUTING.md"].map((file) => [
    file,
    readFileSync(file, "utf8"),
  ]),
);
export const inContract = ({ at }: Piece) => at.startsWith("docs/contract");

export const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

/** What stands between lines of three backticks. */
export const blocks: Block[] = [...textOf].flatMap(([file, text]) =>
  [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map((match) => ({
    at: `${file}:${lineAt(text, match.index)}`,
    kind: match[2]!,
    text: match[3]!,
  })),
);

/** What stands between backticks in a line. In tables a bar has a backslash before it. */
export const spans: Piece[] = [...textOf].flatMap(([file, text]) =>
  text
    .replace(/^ *```.*?^ *```$/gms, (block) => block.replace(/[^\n]/g, ""))
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(/`([^`]+)`/g)].map(([, span]) => ({
        at: `${file}:${index + 1}`,
        text: span!.replaceAll("\\|", "|"),
      })),
    ),
);

/** The members that a text such as `{ id, kind: A | B, rows: [{ text }], … }` names, with those inside. */
export interface Members {
  [name: string]: Members;
}

/** @returns the members, and where the text goes on */
export function membersOf(text: string, from: number): [Members, number] {
  const members: Members = {};
  let name = "";
  let isValue = false;
  for (let at = from; at < text.length; at++) {
    const rest = text.slice(at);
    const word = /^"?([A-Za-z_][\w.-]*)"?(?:\\?\?)?/.exec(rest);
    if (rest.startsWith("{")) {
      const [inner, end] = membersOf(text, at + 1);
      if (name) members[name] = { ...members[name], ...inner };
      isValue = true;
      at = end;
    } else if (rest.startsWith("}")) return [members, at];
    else if (rest.startsWith(":")) isValue = true;
    else if (rest.startsWith("[")) {
      const [inner, end] = bracketed(text, at + 1);
      if (name) members[name] = { ...members[name], ...inner };
      at = end;
    } else if (rest.startsWith(",")) isValue = false;
    else if (word) {
      if (!isValue) {
        name = word[1]!;
        members[name] ??= {};
      }
      at += word[0].length - 1;
    } else if (rest.startsWith('"')) at += rest.indexOf('"', 1);
  }
  return [members, text.length];
}

/** Of a list in brackets: what its objects have. */
function bracketed(text: string, from: number): [Members, number] {
  let found: Members = {};
  for (let at = from; at < text.length; at++)
    if (text[at] === "{") {
      const [inner, end] = membersOf(text, at + 1);
      found = { ...found, ...inner };
      at = end;
    } else if (text[at] === "]") return [found, at];
  return [found, text.length];
}
