// Where people are led after the end: an address with a place for the session's id.

import { lengthOf } from "../text.ts";

export const SESSION_ID = "{sessionId}";

const MAX_ADDRESS_LENGTH = 2000;

/** What is wrong with the address that an author has typed; undefined: nothing. */
export function faultOfRedirect(address: string): string | undefined {
  if (lengthOf(address) > MAX_ADDRESS_LENGTH) return `must be at most ${MAX_ADDRESS_LENGTH} characters`;
  const url = parsed(address);
  if (!url || /\s/.test(address)) return "must be a web address, such as https://panel.example.org/done?id={sessionId}";
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.username || url.password) return "must not have a user name or password";
  if (/^https:[^?#]*?\/\/[^/?#]*[{}]/i.test(address)) return `must not have ${SESSION_ID} in the name of the site`;
  const [unknown] = address.replaceAll(SESSION_ID, "").match(/\{[^{}]*\}?|\}/) ?? [];
  return unknown === undefined ? undefined : `has ${unknown}, but only ${SESSION_ID} can be filled in`;
}

/** The address for a session. */
export function redirectTo(address: string, sessionId: string): string {
  return new URL(address.replaceAll(SESSION_ID, sessionId)).href;
}

function parsed(address: string): URL | undefined {
  return URL.parse(address.replaceAll(SESSION_ID, "0").replaceAll(/[{}]/g, "0")) ?? undefined;
}
