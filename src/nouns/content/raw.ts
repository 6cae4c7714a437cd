// What an author has sent, before it is checked: these accept any value.

import { idOf } from "../../base/schemas.ts";
import type { ByOutcome, Outcome } from "./content.ts";

export const members = (value: unknown): Record<string, unknown> => Object(value);

export const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What others may refer to it by: its id, or a label. */
export const labelOf = (value: unknown): string | undefined => {
  const { id } = members(value);
  return (typeof id === "string" && idOf(id.trim())) || undefined;
};

/** An outcome without text counts as missing. */
export function byOutcome(
  input: { [outcome in Outcome]?: string | null | undefined } | null | undefined,
): ByOutcome | null {
  const texts = Object.entries(input ?? {}).filter(([, text]) => text !== null && text !== undefined);
  return texts.length ? Object.fromEntries(texts) : null;
}
