// Files of translations in tests: XLIFF as a translation program handles it.

import { SaxesParser } from "saxes";

/** The units of an XLIFF, read by another reader than the service's. */
export function unitsOf(xliff: string): { name: string; source: string; target: string | undefined; state: string }[] {
  const units: { name: string; source: string; target: string | undefined; state: string }[] = [];
  const parser = new SaxesParser();
  let into: "source" | "target" | undefined;
  parser.on("opentag", ({ name, attributes }) => {
    const unit = units.at(-1);
    if (name === "unit") units.push({ name: String(attributes.name), source: "", target: undefined, state: "" });
    else if (name === "segment") unit!.state = String(attributes.state);
    else if (name === "source" || name === "target") into = name;
    else if (name === "cp" && into)
      unit![into] = (unit![into] ?? "") + String.fromCharCode(Number.parseInt(String(attributes.hex), 16));
  });
  parser.on("closetag", ({ name }) => {
    if (name === "source" || name === "target") into = undefined;
  });
  parser.on("text", (text) => {
    const unit = units.at(-1);
    if (into) unit![into] = (unit![into] ?? "") + text;
  });
  parser.write(xliff).close();
  return units;
}

/** An XLIFF with the targets that `translate` gives for sources; undefined: none. */
export function withTargets(xliff: string, translate: (source: string) => string | undefined): string {
  return xliff.replaceAll(
    /<segment state="\w+"><source>([^<]*)<\/source>(?:<target>[^<]*<\/target>)?/g,
    (all, source) => {
      const text = translate(unescaped(source));
      if (text === undefined) return all;
      return `<segment state="translated"><source>${source}</source><target>${escaped(text)}</target>`;
    },
  );
}

const SIGNS: [string, string][] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
];

const escaped = (text: string) => SIGNS.reduce((done, [sign, name]) => done.replaceAll(sign, name), text);
const unescaped = (text: string) =>
  SIGNS.toReversed().reduce((done, [sign, name]) => done.replaceAll(name, sign), text);
