// The target of a study: how many people it takes. It is the draft's quota of everybody; older studies have one of the publication.

import type { ScreenerContent, ScreenerContentInput, ScreenerPublication, ScreenerQuota } from "../../client/types.ts";
import type { Content } from "../../nouns/content/content.ts";
import { isTarget } from "../../nouns/content/quotas.ts";

/** Where the target is, and how large it is. */
export type Target =
  | { of: "publication"; limit: number | null }
  | { of: "draft"; limit: number | null }
  /** Published: its limit counts at once, and is changed on the quota's page. */
  | { of: "quota"; quota: ScreenerQuota };

/** The name of a quota that becomes the target. */
const NAME = "Everybody";

/**
 * @param latest the latest publication. @param draft undefined: it is too long to be read at once, so that only a publication can have
 * the target. @param live the quotas that are published
 */
export function targetOf(
  latest: Pick<ScreenerPublication, "targetQualifiedParticipants"> | undefined,
  draft: Content | undefined,
  live: readonly ScreenerQuota[],
): Target {
  const limit = latest?.targetQualifiedParticipants ?? null;
  if (limit !== null || !draft) return { of: "publication", limit };
  const ofDraft = draft.quotas?.find(isTarget);
  const quota = live.find(({ id }) => id === ofDraft?.id);
  return quota ? { of: "quota", quota } : { of: "draft", limit: ofDraft?.limit ?? null };
}

/** The target that a draft has. Null: none. */
export function limitIn({ quotas }: ScreenerContent): number | null {
  return quotas?.find(isTarget)?.limit ?? null;
}

/** The draft with another target. @param limit null: none */
export function withTarget(draft: ScreenerContent, limit: number | null): ScreenerContentInput {
  const quotas = draft.quotas ?? [];
  const former = quotas.find(isTarget);
  if (limit === null) return { ...draft, quotas: quotas.filter((quota) => quota !== former) };
  if (former) return { ...draft, quotas: quotas.map((quota) => (quota === former ? { ...quota, limit } : quota)) };
  const ending = { at: "NOW", thankYou: null, redirect: null } as const;
  return {
    ...draft,
    quotas: [{ id: "target", name: freeName(quotas), when: null, mode: "LIMIT", limit, ending }, ...quotas],
  };
}

/** Names are unique: a quota that only counts may have the usual one. */
function freeName(quotas: readonly { name: string }[]): string {
  const names = new Set(quotas.map(({ name }) => name));
  let name = NAME;
  for (let number = 2; names.has(name); number++) name = `${NAME} ${number}`;
  return name;
}
