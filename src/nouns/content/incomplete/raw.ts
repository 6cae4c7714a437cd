// What an author has sent, before it is checked: these accept any value.

import { idOf } from "../../../base/schemas.ts";

export const members = (value: unknown): Record<string, unknown> => Object(value);

export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What others may refer to it by: its id, or a label. */
export const labelOf = (value: unknown): string | undefined => {
  const { id } = members(value);
  return (typeof id === "string" && idOf(id.trim())) || undefined;
};
