// A browser without scripts, as far as the console needs one: it keeps cookies, follows nothing, and sends forms.

import { whenFree } from "../../db/sqlite/when-free.ts";
import { addUser } from "../../src/access/users.ts";
import { insertConsoleUser, issueSignInLink } from "../../src/workspaces/console-users.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import type { Role } from "../../src/workspaces/rights.ts";
import { type PlainAnswer, plain } from "./http.ts";
import type { Service } from "./service.ts";

export const PASSWORD = "correct horse battery";

/** The fields of a form: some come several times. */
type Fields = Record<string, string | string[]>;

export class ConsoleBrowser {
  readonly url: string;
  /** By name. */
  readonly cookies = new Map<string, string>();
  /** The address that it comes from: any of 127.0.0.0/8. */
  readonly from: string;

  constructor(url: string, from = "127.0.0.1") {
    this.url = url;
    this.from = from;
  }

  get(path: string): Promise<PlainAnswer> {
    return this.send("GET", path, {});
  }

  /** Sends the fields with the token of the form on a page, as a browser does. */
  async post(page: string, fields: Fields, to = page): Promise<PlainAnswer> {
    return this.postRaw(to, { token: await this.token(page), ...fields }, this.ours);
  }

  /** The token of the forms on a page. */
  async token(page: string): Promise<string> {
    return /name="token" value="([^"]+)"/.exec((await this.get(page)).text)?.[1] ?? "";
  }

  /** What a browser says of a form that comes from the same site. */
  get ours(): Record<string, string> {
    return { Origin: this.url, "Sec-Fetch-Site": "same-origin" };
  }

  postRaw(path: string, fields: Fields, headers: Record<string, string>): Promise<PlainAnswer> {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
    return this.send("POST", path, { ...type, ...headers }, new URLSearchParams(pairs).toString());
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ): Promise<PlainAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = { Accept: "text/html", "User-Agent": "Test browser", ...(cookie && { Cookie: cookie }), ...headers };
    const answer = await plain(this.url, { method, path, headers: sent, from: this.from, ...(body && { body }) });
    for (const set of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }

  signIn(email: string, password = PASSWORD, fields: Record<string, string> = {}): Promise<PlainAnswer> {
    return this.post("/console/sign-in", { email, password, ...fields });
  }
}

/** Makes a user. @returns the path of the link */
export async function invite(
  { context }: Service,
  workspaceUid: string,
  user: { name: string; email: string; role: Role },
): Promise<string> {
  const { reader, writer } = context.control;
  const workspaceId = findWorkspace(reader, workspaceUid)!.id;
  return whenFree(writer, 5000, () => {
    const { id } = insertConsoleUser(writer, { workspaceId, ...user, now: Date.now() });
    return issueSignInLink(writer, workspaceId, id, Date.now());
  });
}

/** The browser of a new user, who has chosen PASSWORD. */
export async function signedIn(
  service: Service,
  workspaceUid: string,
  role: Role,
  email: string,
): Promise<ConsoleBrowser> {
  return browserOf(service, await invite(service, workspaceUid, { name: `The ${role}`, email, role }));
}

/** The browser of a new user who is an operator of the installation, too. */
export async function signedInOperator(
  service: Service,
  workspaceUid: string,
  role: Role,
  email: string,
): Promise<ConsoleBrowser> {
  const { reader, writer } = service.context.control;
  const workspaceId = findWorkspace(reader, workspaceUid)!.id;
  const user = { name: "The operator", email, role, isOperator: true };
  const { path } = await whenFree(writer, 5000, () => addUser(writer, () => {}, workspaceId, user));
  return browserOf(service, path);
}

/** A browser in which somebody has chosen PASSWORD by a link. */
async function browserOf(service: Service, link: string): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(service.url);
  const { status, text } = await browser.post(link, { password: PASSWORD, again: PASSWORD });
  if (status !== 303) throw new Error(text);
  return browser;
}
