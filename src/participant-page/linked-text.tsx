// The links in an author's text: a web address in it becomes one.

import type { ComponentChildren } from "preact";

interface LinkProps {
  address: string;
  /** Whether it is only shown to its author: then it leads nowhere. */
  isTrial?: boolean | undefined;
  children: ComponentChildren;
}

/** A link to another site, which does not learn on which page it stands. */
export function TextLink({ address, isTrial, children }: LinkProps) {
  if (isTrial) return <u>{children}</u>;
  return (
    <a class="away" href={address} rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** An address ends before the marks that end a sentence, as most people mean it. */
const ADDRESS =
  /\bhttps:\/\/[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069.,;:!?)\]}»”’]/g;

/** A text, in which addresses that begin with https:// are links. */
export function LinkedText({ text, isTrial }: { text: string; isTrial?: boolean | undefined }) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = URL.parse(found)?.href;
    if (address === undefined) continue;
    // As the parser writes it: https://evil.example\@good.example leads to the first.
    parts.push(
      text.slice(end, index),
      <TextLink address={address} isTrial={isTrial}>
        {address}
      </TextLink>,
    );
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}
