// Forms of the console, and proof that they come from our own pages.
//
// Another site can have a browser send a form to us. Three things keep that from working: cookies are SameSite=Lax; the
// browser says where a request comes from (Origin, Sec-Fetch-Site); and each form has a token that only our page can know.

import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isCleanText } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import { readUrlEncoded } from "../../http/wire/form.ts";

/** The field with the token. */
export const TOKEN_FIELD = "token";
/** The header with the token, where a script sends JSON. */
export const TOKEN_HEADER = "x-form-token";

const MAX_FORM_BYTES = 16 * 1024;

/** The fields of a form. One that is missing is empty. */
export interface Fields {
  (name: string): string;
  /** The values of all fields with that name, in their order. */
  all(name: string): string[];
  /** All fields with their names. */
  pairs(): Iterable<[string, string]>;
}

/** What a GET has. */
export const NO_FIELDS: Fields = fieldsOf(new URLSearchParams());

/** @throws Problem 400, 413 or 415 for a form that no browser sends from our pages */
export async function readFields(req: IncomingMessage, maxBytes = MAX_FORM_BYTES): Promise<Fields> {
  const fields = await readUrlEncoded(req, maxBytes);
  for (const [name, value] of fields)
    if (!isCleanText(value)) throw new Problem("invalid_request", { detail: `${name} holds U+0000.`, errors: [] });
  return fieldsOf(fields);
}

/** Fields from pairs of names and values. */
export function fieldsOf(fields: URLSearchParams): Fields {
  return Object.assign((name: string) => fields.get(name) ?? "", {
    all: (name: string) => fields.getAll(name),
    pairs: () => fields.entries(),
  });
}

/** What was typed where the API takes only some texts, or a number: the API checks it, and says what is wrong with it. */
export function unchecked<T>(typed: string): T {
  return typed as T;
}

/** The token of the forms on a page. @param secret what the browser's cookie has */
export function tokenOf(secret: string): string {
  return hash("sha256", `form ${secret}`, "base64url");
}

/** Whether a form comes from a page of ours. @param sent the token that came with it. @param secret what the browser's cookie has; undefined: it has none */
export function isOurs(
  { headers }: IncomingMessage,
  sent: string,
  secret: string | undefined,
  publicUrl: string,
): boolean {
  if (secret === undefined) return false;
  const { origin, host, "sec-fetch-site": site } = headers;
  // Every browser of today says one of them with a form.
  if (origin === undefined && site === undefined) return false;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin !== undefined && !isOwnOrigin(origin, host, publicUrl)) return false;
  const [given, own] = [Buffer.from(sent), Buffer.from(tokenOf(secret))];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** The address under which the browser knows us: PUBLIC_URL, or what it has asked for. No page can choose the Host of a request. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/** A path of the console that a person is led to after the sign-in. Anything else becomes the first page. */
export function nextPath(text: string): string {
  const isPath = /^\/console\/(?!sign-)[\w/.~-]*(?:\?[\w.~%=&[\]-]*)?$/.test(text) && !/\/[./]/.test(text);
  return isPath ? text : "/console/studies";
}
