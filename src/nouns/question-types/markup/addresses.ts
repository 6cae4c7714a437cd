// Which addresses authors' texts may lead to, and web addresses that are written out in a text.

/** What a link may begin with. */
const PROTOCOLS = new Set(["https:", "mailto:", "tel:"]);

/** The address of a link as the URL parser writes it, so that it leads where it seems to lead; null: no link may lead there. */
export function linkTo(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !PROTOCOLS.has(url.protocol) || url.username || url.password) return null;
  return url.href;
}

/** An address ends before the marks that end a sentence, as most people mean it. */
const ADDRESS =
  /\bhttps:\/\/[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069.,;:!?)\]}»”’]/g;

interface WrittenAddress {
  /** As the URL parser writes it: https://evil.example\@good.example leads to the first. */
  address: string;
  typed: string;
}

/** The parts of a text: what is between web addresses, and the addresses. */
export function splitAtAddresses(text: string): (string | WrittenAddress)[] {
  const parts: (string | WrittenAddress)[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = URL.parse(found)?.href;
    if (address === undefined) continue;
    parts.push(text.slice(end, index), { address, typed: found });
    end = index + found.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}
