// What a message looks like: plain text, and HTML in a shell with the workspace's colours, both from the same Markdown. It loads nothing: an
// image would say who has opened it, and when.

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { tonesOf } from "../appearance/accent.ts";
import type { AppearanceRow } from "../appearance/queries.ts";
import { clean } from "../base/clean-text.ts";
import { type Block, blocksOf, type Inline } from "../nouns/question-types/markup/parse.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import { inserted, PLACEHOLDER } from "../nouns/question-types/markup/references.ts";
import { TextBlock, Texts } from "../nouns/question-types/markup/texts.tsx";
import type { Speech } from "../words/speech.ts";
import type { Letter } from "./relay/compose.ts";

/** What a message says. */
interface Draft {
  /** Of the words around it. */
  speech: Speech;
  /** The workspace's name. */
  sender: string;
  look: Pick<AppearanceRow, "accent_color" | "privacy_url" | "contact_url">;
  /** One line. */
  subject: string;
  /** Markdown. A line with `{{link}}` alone is where the link is. */
  body: string;
  link: string | null;
  /** What stands for other placeholders. */
  fill: Fill;
  /** The page on which the person stops such messages. Missing: nobody can, as of those that they ask for. */
  stop?: string | undefined;
}

/** What follows the sender at the foot: names and addresses. */
function footOf({ look, speech, stop }: Draft): [name: string, address: string][] {
  const foot: [string, string | null | undefined][] = [
    [speech.say("unsubscribeHeading"), stop],
    [speech.say("privacy"), look.privacy_url],
    [speech.say("contact"), look.contact_url],
  ];
  return foot.flatMap(([name, address]): [string, string][] => (address ? [[name, address]] : []));
}

/** Fills placeholders that are names: `{{study}}`. */
export function filledWith(values: Readonly<Record<string, string>>): Fill {
  return (typed) => values[typed.slice(2, -2).trim()];
}

/** Where the link is: on a line of its own. */
const LINK_LINE = /^[ \t]*\{\{[ \t]*link[ \t]*\}\}[ \t]*$/m;

/** A body as the parts before, between and after the lines of its link. */
export function partsOfBody(body: string): string[] {
  return body.replaceAll(/\r\n?/g, "\n").split(LINK_LINE);
}

export const MAX_SUBJECT_LENGTH = 200;

export function letterOf(draft: Draft): Letter {
  const parts = partsOfBody(draft.body).map((part) => part.trim());
  const fill: Fill = (typed) => {
    const value = draft.fill(typed);
    return value === undefined ? undefined : inserted(value);
  };
  const filled = draft.subject.replaceAll(PLACEHOLDER, (typed) => fill(typed) ?? typed);
  // No value makes another header, or a second line.
  const subject = inserted(filled.replaceAll(/[\p{Cc}\s]+/gu, " ")).slice(0, MAX_SUBJECT_LENGTH);
  return { subject, text: textOf(draft, parts, fill), html: htmlOf(draft, parts, fill, subject) };
}

function textOf(draft: Draft, parts: readonly string[], fill: Fill): string {
  const { sender, link } = draft;
  const written = parts.map((part) => (part === "" ? "" : linesOf(blocksOf(part), fill).join("\n\n")));
  const foot = [sender, ...footOf(draft).map(([name, address]) => `${name}: ${address}`)];
  const text = [written.join(`\n\n${link ?? ""}\n\n`), `-- \n${foot.join("\n")}`].join("\n\n");
  return `${clean(text)
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

/** The paragraphs of a plain text. */
function linesOf(blocks: readonly Block[], fill: Fill): string[] {
  return blocks.map((block) => {
    if (block.kind === "paragraph") return wordsOf(block.inside, fill);
    const items = block.items.map((item, index) => {
      const mark = block.from === null ? "- " : `${block.from + index}. `;
      return (
        mark +
        linesOf(item, fill)
          .join("\n")
          .replaceAll("\n", `\n${" ".repeat(mark.length)}`)
      );
    });
    return items.join("\n");
  });
}

function wordsOf(parts: readonly Inline[], fill: Fill): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "placeholder") return fill(part.typed) ?? part.typed;
      const words = wordsOf(part.inside, fill);
      return part.kind === "link" && part.address !== words ? `${words} (${part.address})` : words;
    })
    .join("");
}

/** The service's own accent, as on its pages. */
const ACCENT = "#1f4fa0";

function htmlOf(draft: Draft, parts: readonly string[], fill: Fill, subject: string): string {
  const { speech, sender, look, link } = draft;
  const { light, dark } = tonesOf(look.accent_color ?? ACCENT);
  const foot = footOf(draft);
  const page: VNode = (
    <html lang={speech.language} dir={speech.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{clean(subject)}</title>
        <style dangerouslySetInnerHTML={{ __html: styleOf(light.accent, dark.accent) }} />
      </head>
      <body>
        <div class="sheet">
          <p class="sender" dir="auto">
            {clean(sender)}
          </p>
          <Texts value={{ markup: "MARKDOWN", fill }}>
            {parts.map((part, index) => (
              <>
                {index > 0 && link !== null && (
                  <p class="link" dir="ltr">
                    <a href={link}>{link}</a>
                  </p>
                )}
                {part !== "" && <TextBlock text={part} />}
              </>
            ))}
          </Texts>
          {foot.length > 0 && (
            <p class="foot">
              {foot.map(([name, address]) => (
                <a key={name} href={address}>
                  {name}
                </a>
              ))}
            </p>
          )}
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}

/** Colours of src/http/page.css. */
function styleOf(light: string, dark: string): string {
  return (
    ":root{color-scheme:light dark}" +
    "body{margin:0;padding:16px;background:#f4f3ef;color:#1d2430;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}" +
    ".sheet{max-width:36em;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere}" +
    `.sender{margin-top:0;font-weight:600;color:${light}}a{color:${light}}.link{font-size:18px}` +
    // Large enough for a thumb, and apart from one another: 44 px, as on pages.
    ".foot{margin:24px -8px -8px}.foot a{display:inline-block;padding:10px 8px}" +
    `@media (prefers-color-scheme:dark){body{background:#12151a;color:#e9ecf1}.sheet{background:#1b2027}.sender,a{color:${dark}}}`
  );
}
