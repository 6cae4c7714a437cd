// What keys and tokens have in common: how long they live, what they may do, and when they were used.

import { InvalidArgumentError } from "commander";
import { scopesOf } from "../workspaces/credentials.ts";
import { SCOPES, type Scope } from "../workspaces/rights.ts";
import { date } from "./running/command.ts";

const DAY_MS = 24 * 3_600_000;

export function lastUse({ last_used_at }: { last_used_at: number | null }): string {
  return last_used_at === null ? "never used" : `used ${date(last_used_at)}`;
}

export function expiry(inDays: string | undefined): number | null {
  return inDays === undefined ? null : Date.now() + Number(inDays) * DAY_MS;
}

export const SCOPES_HELP = `what it may do: some of ${SCOPES.join(",")}; everything by default. With read, import or author it gets ids of sessions, with which it can answer for people; read-without-links, and review alone, get references instead`;

/** @returns the text, if it is a list of scopes */
export function scopes(text: string): string {
  const unknown = text.split(",").filter((name) => !SCOPES.includes(name.trim() as Scope));
  if (unknown.length) {
    const names = unknown.map((name) => JSON.stringify(name)).join(", ");
    throw new InvalidArgumentError(
      `${names} is no scope. The scopes are ${SCOPES.join(", ")}, with commas between them.`,
    );
  }
  return text;
}

export function scopesIn({ scopes: text }: Record<string, string | undefined>): { scopes?: Scope[] } {
  return text === undefined ? {} : { scopes: text.split(",").map((name) => name.trim() as Scope) };
}

/** The scopes of a key or a token, for people and as JSON. */
export function listOf(row: { scopes: string | null }): Scope[] {
  return [...scopesOf(row)];
}

export function days(text: string): string {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return text;
}
