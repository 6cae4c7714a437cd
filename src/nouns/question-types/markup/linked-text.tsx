// Links in authors' texts.

import type { ComponentChildren } from "preact";
import { splitAtAddresses } from "./addresses.ts";

export interface TextLinkProps {
  address: string;
  /** Whether it is only shown to its author: then it leads nowhere. */
  isTrial?: boolean | undefined;
  /** Whether a site opens in another tab. */
  opensTab?: boolean | undefined;
  children: ComponentChildren;
}

/** A link to another site, which does not learn on which page it stands. */
export function TextLink({ address, isTrial, opensTab, children }: TextLinkProps) {
  if (isTrial) return <u>{children}</u>;
  return (
    <a
      class="away"
      href={address}
      target={opensTab && address.startsWith("https:") ? "_blank" : undefined}
      rel="noreferrer noopener"
    >
      {children}
    </a>
  );
}

/** A text, in which addresses that begin with https:// are links. */
export function LinkedText({ text, ...more }: { text: string } & Pick<TextLinkProps, "isTrial" | "opensTab">) {
  return splitAtAddresses(text).map((part) =>
    typeof part === "string" ? (
      part
    ) : (
      <TextLink address={part.address} {...more}>
        {part.address}
      </TextLink>
    ),
  );
}
