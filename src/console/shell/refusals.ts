// Pages that say why something does not work: with the menu for signed-in users, and a way back.

import type { ParameterizedContext } from "koa";
import type { Problem } from "../../base/problems.ts";
import type { Context } from "../../http/context.ts";
import type { Reply } from "../../http/wire/reply.ts";
import type { Role } from "../../workspaces/rights.ts";

import { nextPath, tokenOf } from "./forms.ts";
import type { SignedIn } from "./layout.tsx";
import { renderRefusal, type WayOn } from "./refusal-page.tsx";
import { page, type Refusal, type Shared, signedIn } from "./request.ts";
import { type Visitor, visitorOf } from "./visitors.ts";

export function ofRefusal(shared: Shared, ctx: ParameterizedContext, { status, heading, message }: Refusal): Reply {
  return page(status, renderRefusal(wayOn(shared, ctx), heading, message));
}

/** The API's words for things, and those on screens. */
const ON_SCREENS = [
  ["screener participant", "person of the study"],
  ["screener", "study"],
  ["participant", "person"],
  ["session", "link"],
] as const;

function words(text: string): string {
  let shown = text.replaceAll("participants", "people");
  for (const [word, onScreen] of ON_SCREENS)
    shown = shown.replaceAll(word, onScreen).replaceAll(
      word.replace(/^./, (first) => first.toUpperCase()),
      onScreen.replace(/^./, (first) => first.toUpperCase()),
    );
  return shown;
}

/** A problem as a page. */
export function ofProblem(shared: Shared, ctx: ParameterizedContext, { status, headers, document }: Problem): Reply {
  const isOurFault = status >= 500 && status !== 503;
  const heading = isOurFault ? "Something went wrong" : words(document.title);
  const text = isOurFault
    ? "That was our fault, not yours. Check whether it was done before you try again."
    : words(document.detail);
  return { ...page(status, renderRefusal(wayOn(shared, ctx), heading, text)), headers };
}

export function forbidden(shared: Shared, ctx: ParameterizedContext, visitor: Visitor, needed: Role): Reply {
  const text = `This page needs the role ${needed}. Yours is ${visitor.role}.`;
  return page(403, renderRefusal(wayOn(shared, ctx), "You may not see this page", text));
}

/** Where somebody can go from a page that says why something does not work: the menu, and the page before. */
function wayOn({ base, context }: Shared, ctx: ParameterizedContext): WayOn {
  return { base, signedIn: ctx.state.signedIn ?? visitorOnOpenPage(context, ctx), back: pageBefore(base, ctx) };
}

/** The visitor of a page that everybody may see. */
function visitorOnOpenPage(context: Context, ctx: ParameterizedContext): SignedIn | undefined {
  try {
    const visitor = visitorOf(context, ctx.req);
    return visitor && signedIn({ context, visitor, token: tokenOf(visitor.cookie) });
  } catch {
    return undefined;
  }
}

/** The page of the console that led here. */
function pageBefore(base: string, ctx: ParameterizedContext): string | undefined {
  const referer = ctx.get("Referer");
  if (!URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  const path = pathname.startsWith(`${base}/console/`) ? pathname.slice(base.length) + search : "";
  return path && nextPath(path) === path && base + path !== ctx.url ? base + path : undefined;
}
