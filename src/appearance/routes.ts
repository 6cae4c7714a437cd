// /workspace/appearance: how the workspace's pages for participants look.

import type { Reader } from "../../db/sqlite/connection.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import { changesBetween } from "../events/record.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, requireMatch, withTag } from "../http/endpoint.ts";
import type { Image } from "../images/encode.ts";
import { listBrowserLinks } from "../nouns/links/queries.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { writeOnce } from "../writes/write-once.ts";
import { encodedOr } from "./encoded.ts";
import { isForDevelopment } from "./frame-ancestors.ts";
import { getAppearance, setAppearance, setLogo } from "./queries.ts";
import { type Appearance, AppearanceChange, AppearanceView, appearanceExample, logoFile, viewOf } from "./resource.ts";

const tag = "Workspace";
const path = "/workspace/appearance";

const read = defineEndpoint({
  method: "get",
  path,
  operationId: "getAppearance",
  scopes: ["read"],
  tag,
  summary: "Get how participants' pages look",
  description:
    "`accentColor` is the colour as it was chosen; `accentColorLight` and `accentColorDark` are what it becomes on light and on dark " +
    "pages, so that all text has a contrast of at least 7.",
  headers: { "If-None-Match": "The ETag of what the caller has" },
  replies: {
    200: {
      description: "The appearance; null: the service's own",
      schema: AppearanceView,
      headers: { ETag: "For If-Match and If-None-Match" },
    },
    304: { description: "If-None-Match names it as it is", headers: { ETag: "Its ETag" } },
  },
  examples: { appearance: { reply: appearanceExample } },
  problems: [],
  handle(request) {
    return withTag(request.context.workspaces.read(request.principal.workspaceUid, (db) => json(request, db)));
  },
});

const change = defineEndpoint({
  method: "patch",
  path,
  operationId: "changeAppearance",
  scopes: ["admin"],
  tag,
  summary: "Change how participants' pages look",
  description:
    "Send only the members to change. Null clears a member. `logoFile` is a PNG, JPEG or WebP image in base64, of at most 512 KiB and 4 " +
    "million pixels. The logo is made anew from its pixels, in at most 640 × 128; null removes it. `frameAncestors` are all origins of sites that " +
    "may show the pages in frames; none as long as an open link has `oneEach: BROWSER`, because there it could set no cookie.",
  body: AppearanceChange,
  together: async (request, right) => [...notPublic(request, right), ...(await logoOf(request, right)).errors],
  isConditional: true,
  replies: {
    200: { description: "The appearance as it is now", schema: AppearanceView, headers: { ETag: "For If-Match" } },
  },
  examples: {
    accent: { body: { accentColor: appearanceExample.accentColor }, reply: appearanceExample },
  },
  problems: ["embedding_conflict"],
  async handle(request) {
    const { body, principal } = request;
    const { logo, errors } = await logoOf(request, body);
    const wrong = [...notPublic(request, body), ...errors];
    if (wrong.length) throw invalidRequest(wrong);
    return writeOnce(request, (db, record) => {
      const current = getAppearance(db);
      const before = json(request, db);
      requireMatch(request, before);
      const {
        accentColor = current.accent_color,
        privacyUrl = current.privacy_url,
        contactUrl = current.contact_url,
        frameAncestors = JSON.parse(current.frame_ancestors) as string[],
      } = body;
      if (frameAncestors.length) requireNoCookies(db);
      setAppearance(db, { accentColor, privacyUrl, contactUrl, frameAncestors });
      if (logo !== undefined) setLogo(db, logo);
      const after = json(request, db);
      const changes = changesBetween(before, after);
      const resource = { type: "Workspace", uid: principal.workspaceUid };
      if (changes.length) record({ type: "workspace.updated", resource, changes, at: new Date() });
      return withTag(after);
    });
  },
});

/** The logo that is sent, made anew. Null: it is to be removed; undefined: it stays, or is wrong. */
async function logoOf(
  request: ApiRequest,
  { logoFile: base64 }: { logoFile?: string | null | undefined },
): Promise<{ logo?: Image | null | undefined; errors: ProblemDetail[] }> {
  if (typeof base64 !== "string") return { logo: base64, errors: [] };
  const made = await encodedOr(request, { use: "logo", base64, pointer: "/logoFile" });
  return "errors" in made ? made : { logo: made.image, errors: [] };
}

/** What is wrong with origins that are for development, where the service itself is not. */
function notPublic(
  { context }: ApiRequest,
  { frameAncestors = [] }: { frameAncestors?: readonly string[] | undefined },
): ProblemDetail[] {
  if (!context.config.publicUrl.startsWith("https:")) return [];
  return frameAncestors.flatMap((origin, at) =>
    isForDevelopment(origin) ? [{ pointer: `/frameAncestors/${at}`, message: "must begin with https://" }] : [],
  );
}

/** @throws Problem embedding_conflict while an open link needs a cookie */
function requireNoCookies(db: Reader): void {
  const names = listBrowserLinks(db);
  if (!names.length) return;
  const detail = `Open links with oneEach BROWSER set a cookie, which pages in frames can't: ${names.map((name) => JSON.stringify(name)).join(", ")}. Change or revoke these first.`;
  throw new Problem("embedding_conflict", { detail });
}

function json({ context, principal }: ApiRequest, db: Parameters<typeof getAppearance>[0]): string {
  const folder = `${context.config.publicUrl}${appPath(context.cell, principal.workspaceUid)}/logo`;
  const view: Appearance = viewOf(getAppearance(db), (hash) => `${folder}/${logoFile(hash)}`);
  return JSON.stringify(view);
}

export const appearanceRoutes: AnyEndpoint[] = [read, change];
