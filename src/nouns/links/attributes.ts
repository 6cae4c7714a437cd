// The attributes of somebody who comes by an open link: those of the link, and those that it accepts of the query in its address.

import { attributeValueError, changeAttributes, parseAttributes } from "../../base/attributes.ts";
import { isCleanText } from "../../base/clean-text.ts";
import type { LinkRow } from "./queries.ts";

/** What a link accepts of the query in its address, as far as it can be an attribute. */
export function acceptedOf(link: LinkRow, query: URLSearchParams): URLSearchParams {
  const accepted: string[] = JSON.parse(link.accept);
  return new URLSearchParams(
    accepted.flatMap((key): [string, string][] => {
      const value = query.get(key)?.trim();
      return value && isCleanText(value) && attributeValueError(value) === undefined ? [[key, value]] : [];
    }),
  );
}

/**
 * The attributes of somebody who comes by a link: those of its query, and its own; these alone, if all together are more than a participant
 * may have. @param accepted see `acceptedOf`
 */
export function attributesAt(link: LinkRow, accepted: URLSearchParams): string {
  const own = parseAttributes(link.attributes);
  const { text, error } = changeAttributes(link.attributes, new Map([...accepted].filter(([key]) => !own.has(key))));
  return error === undefined ? text : link.attributes;
}
