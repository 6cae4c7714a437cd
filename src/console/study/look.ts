// How participants' pages look, where the console shows them in a frame.

import { type Look, styleOf } from "../../appearance/look.ts";
import { appPath } from "../../nouns/sessions/resource.ts";
import { style } from "../../participant-page/assets/assets.ts";
import type { VisitorRequest } from "../shell/request.ts";

const POLICY = "Content-Security-Policy";

/** The look of the workspace's pages. The page around them allows their stylesheet from now on: a frame has its policy. */
export async function lookIn({ calls, ctx }: VisitorRequest): Promise<Look> {
  const { accentColor, privacyUrl, contactUrl, logo } = await calls.get("getAppearance");
  const own = accentColor === null ? undefined : styleOf(accentColor);
  if (own) ctx.set(POLICY, ctx.response.get(POLICY).replace(style.source, `${style.source} ${own.source}`));
  return {
    style: own,
    logo: logo && { path: new URL(logo.url).pathname, width: logo.width / 2, height: logo.height / 2 },
    privacyUrl,
    contactUrl,
    // It has a policy of its own.
    frameAncestors: [],
  };
}

/** The path of the images that statements show. */
export function imagesIn({ base, context, visitor }: VisitorRequest): string {
  return `${base}${appPath(context.cell, visitor.workspace_uid)}/image`;
}
