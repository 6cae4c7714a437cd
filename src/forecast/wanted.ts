// Which content a forecast, or a look at the roster, is about: the draft, perhaps with other quotas.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { detailOf, requireObject } from "../base/check-body.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import { imagesOf } from "../images/queries.ts";
import type { Content, Quota } from "../nouns/content/content.ts";
import { aroundDraft } from "../nouns/content/draft-around.ts";
import { attributesIn, questionsIn } from "../nouns/content/holds.ts";
import { readDraft } from "../nouns/content/prepare.ts";
import { findDraft } from "../nouns/content/queries.ts";
import { imageIdsIn } from "../nouns/content/statement.ts";
import { publishedLimits } from "../nouns/quotas/queries.ts";

interface Wanted<Sent> {
  content: Content;
  sent: Sent;
  /** The ids of quotas that the draft has, or that were published. */
  known: ReadonlySet<string>;
}

/**
 * What a body asks about. @param shell of its members. It leaves `quotas` unchecked: they are checked with the draft
 * @throws Problem 400 with all errors
 */
export function wantedContent<Shell extends v.GenericSchema>(
  db: Reader,
  screenerId: number,
  sent: unknown,
  shell: Shell,
): Wanted<v.InferOutput<Shell>> {
  const draft = JSON.parse(findDraft(db, screenerId).json) as Content;
  const limits = publishedLimits(db, screenerId);
  requireObject(sent);
  const { output, issues } = v.safeParse(shell, sent);
  const errors: ProblemDetail[] = (issues ?? []).map((issue) => detailOf(issue));
  const given = "quotas" in sent && sent.quotas !== null;
  const content = given ? withQuotas(db, screenerId, draft, sent.quotas, errors) : withLimits(draft, limits);
  if (errors.length) throw invalidRequest(errors);
  const known = new Set([...(draft.quotas ?? []).map((quota) => quota.id), ...limits.keys()]);
  return { content, sent: output as v.InferOutput<Shell>, known };
}

/** The draft with other quotas, checked as those of a content. Adds what is wrong with them to `errors`. */
function withQuotas(db: Reader, screenerId: number, draft: Content, quotas: unknown, errors: ProblemDetail[]): Content {
  try {
    const images = imagesOf(db, imageIdsIn(draft));
    const around = { ...aroundDraft(db, screenerId, draft), images };
    return readDraft({ ...draft, quotas }, { draft, aside: [] }, around).content;
  } catch (error) {
    if (!(error instanceof Problem) || !errors.length) throw error;
    errors.push(...(error.document.errors ?? []));
    return draft;
  }
}

/** The draft with the limits that count now. What is not published yet has its first limit. */
function withLimits(draft: Content, limits: ReadonlyMap<string, number | null>): Content {
  return {
    ...draft,
    ...(draft.quotas && {
      quotas: draft.quotas.map((quota) => ({ ...quota, limit: limits.get(quota.id) ?? quota.limit })),
    }),
  };
}

/** These take 5 s, in all quotas together. */
const MAX_COMPARISONS = 75_000_000;

/** How many sessions, or people, are looked at at most. @param most however few comparisons there are */
export function maxLookedAt({ quotas = [] }: Content, most: number, comparisons = MAX_COMPARISONS): number {
  const compared = ({ when }: Quota) => (when === null ? 0 : questionsIn(when).length + attributesIn(when).length);
  const each = quotas.reduce((sum, quota) => sum + Math.max(compared(quota), 1), 0);
  return Math.min(most, Math.max(Math.floor(comparisons / (each || 1)), 1));
}
