// Links in authors' texts.

import type { ComponentChildren } from "preact";
import { splitAtAddresses } from "./addresses.ts";

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

/** A text, in which addresses that begin with https:// are links. */
export function LinkedText({ text, isTrial }: { text: string; isTrial?: boolean | undefined }) {
  return splitAtAddresses(text).map((part) =>
    typeof part === "string" ? (
      part
    ) : (
      <TextLink address={part.address} isTrial={isTrial}>
        {part.address}
      </TextLink>
    ),
  );
}
