// The page that compares any two versions of a study, or one with the draft. Its address says which.

import type { ScreenerContent } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { differenceOf } from "../../nouns/content/advice/difference.ts";
import { page, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { MAX_VERSIONS } from "../study/version-select.tsx";
import { DRAFT, renderComparison } from "./compare.tsx";

/** GET: `from` and `to` are numbers of versions, or `draft`. Missing: the two newest, of which one is the draft. */
export async function compareVersions(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame } = await studyFrame(request);
  const { items } = await calls.get("listScreenerPublications", {
    id: params.id!,
    query: `pagination[limit]=${MAX_VERSIONS}`,
  });
  const ids = new Map(items.map(({ id, version }) => [String(version), id]));
  const chosen = (name: string, otherwise: string) => {
    const asked = query.get(name) ?? "";
    return asked === DRAFT || ids.has(asked) ? asked : otherwise;
  };
  const from = chosen("from", String(items[0]?.version ?? DRAFT));
  const to = chosen("to", DRAFT);
  const contentOf = async (one: string): Promise<ScreenerContent | undefined> => {
    const id = ids.get(one);
    const read = id
      ? await readContent(request, "getScreenerPublicationContent", id)
      : await readContent(request, "getScreenerContent", params.id!);
    return read.content;
  };
  const before = await contentOf(from);
  const after = await contentOf(to);
  const changes = before && after ? differenceOf(before, after) : null;
  return page(200, renderComparison(frame, { versions: items, from, to, changes }));
}
