// What a ranking is, as it is kept and shown.

import { nullableNumber, shuffleView } from "./entries.ts";
import type { QuestionOf } from "./question-type.ts";
import { selectView } from "./select.ts";

export const rankingView = {
  options: selectView.options,
  rankAtLeast: nullableNumber,
  rankAtMost: nullableNumber,
  ...shuffleView,
};

export type RankingQuestion = QuestionOf<"Ranking", typeof rankingView>;

/** The ranks that there are, from 1 on. */
export function ranksOf({ options, rankAtMost }: RankingQuestion): number[] {
  return Array.from({ length: Math.min(rankAtMost ?? options.length, options.length) }, (_, index) => index + 1);
}

/** The field of a rank. */
export const rankPart = (rank: number) => `rank-${rank}`;
