// What the handlers of the console's pages get, and what they reply with.

import type { ParameterizedContext } from "koa";
import type { Context } from "../../http/context.ts";
import { HTML, type Reply } from "../../http/wire/reply.ts";
import { countOpenRequests } from "../../nouns/participant-requests/queries.ts";
import { includesRole, type Role } from "../../workspaces/rights.ts";

import type { Attempts } from "./attempts.ts";
import type { Calls } from "./calls.ts";
import type { Fields } from "./forms.ts";
import type { SignedIn } from "./layout.tsx";
import type { FormFile } from "./multipart.ts";
import type { Provider } from "./provider.ts";
import type { Visitor } from "./visitors.ts";

/** What all handlers use. */
export interface Shared {
  context: Context;
  /** What comes before /console in URLs: the path of PUBLIC_URL. */
  base: string;
  attempts: Attempts;
  /** Where people may sign in besides; undefined: nowhere. */
  provider: Provider | undefined;
}

/** A request for a page that everybody may see. */
export interface OpenRequest extends Shared {
  ctx: ParameterizedContext;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Of a POST, which comes from a page of ours. Of a GET all are empty. */
  fields: Fields;
  /** The file of a form that has one. */
  file?: FormFile | undefined;
  /** The token for the forms of the page. */
  token: string;
}

/** A request of a signed-in user. */
export interface VisitorRequest extends OpenRequest {
  visitor: Visitor;
  calls: Calls;
}

type Handler<Request> = (request: Request) => Reply | Promise<Reply>;

interface RouteBase {
  method: "get" | "post";
  path: string;
  /** Of its form, where that is long. */
  maxFormBytes?: number;
  /** Its form has a file. */
  takesFile?: true;
  /** A script calls it with JSON, which the handler reads, and gets problems as JSON. */
  isJson?: true;
  /** Others than operators of the installation find nothing there. */
  isForOperators?: true;
  /** Its page has a script. */
  hasScript?: true;
}

/** Its role is the least that may use it; null: everybody may. */
export type ConsoleRoute = RouteBase &
  ({ role: null; handle: Handler<OpenRequest> } | { role: Role; handle: Handler<VisitorRequest> });

/** A page that says why something does not work. */
export class Refusal extends Error {
  readonly status: number;
  readonly heading: string;

  constructor(status: number, heading: string, text: string) {
    super(text);
    this.status = status;
    this.heading = heading;
  }
}

export function page(status: number, html: string): Reply {
  return { status, type: HTML, body: html };
}

/** 303: the browser sends GET next, so that a reload does not send a form again. @param cookies Set-Cookie headers */
export function redirect(path: string, ...cookies: string[]): Reply {
  return { ...page(303, ""), headers: { Location: path }, cookies };
}

/** What the frame of a page shows of its visitor. */
export function signedIn({ context, visitor, token }: Pick<VisitorRequest, "context" | "visitor" | "token">): SignedIn {
  const { workspace_uid, workspace_name: workspaceName, user_name: userName, role } = visitor;
  const openRequests = includesRole(role, "researcher") ? openRequestsOf(context, workspace_uid) : 0;
  const { is_sandbox, is_operator, workspaces } = visitor;
  return {
    ...{ workspaceName, userName, role, workspaces, openRequests, token },
    isSandbox: is_sandbox === 1,
    isOperator: is_operator === 1,
  };
}

/** How many requests of participants are open. Where the store can't be read, the page itself says so. */
function openRequestsOf({ workspaces }: Context, workspaceUid: string): number {
  try {
    return workspaces.read(workspaceUid, countOpenRequests);
  } catch {
    return 0;
  }
}

/** Where a page of a list begins: `page` of the address counts from 1. @param limit of its rows */
export function offsetOf(query: URLSearchParams, limit: number): number {
  const text = query.get("page") ?? "";
  return /^\d{1,7}$/.test(text) ? Math.max(Number(text) - 1, 0) * limit : 0;
}
