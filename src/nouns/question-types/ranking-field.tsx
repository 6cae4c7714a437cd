// What a ranking is, as it is kept and shown; and a ranking on the page: a list to choose from for each rank, empty at first, so that no order is an answer that nobody has given.

import { clean } from "../../base/clean-text.ts";
import { nullableNumber, shuffleView } from "./entries.ts";
import { describedBy, Notes, noteIds, Prompt } from "./field.tsx";
import { fieldId, partField } from "./form.ts";
import type { FieldProps, QuestionOf } from "./question-type.ts";
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

export function RankingField({ typed, wrong, ...notes }: FieldProps<RankingQuestion>) {
  const { question, speech, author } = notes;
  const { id, options, required, rankAtLeast } = question;
  const least = Math.max(rankAtLeast ?? 1, 1);
  return (
    <fieldset class="group" aria-describedby={describedBy(notes)}>
      <legend class="prompt">
        <Prompt {...notes} />
      </legend>
      <Notes {...notes} />
      {ranksOf(question).map((rank) => {
        const field = rank === 1 ? fieldId(id) : partField(rankPart(rank), id);
        const isWrong = wrong !== undefined && ("rank" in wrong ? wrong.rank === rank : rank === 1);
        return (
          <div class="rank" key={rank}>
            <label for={field}>
              <bdi>{speech.count("choiceAt", rank)}</bdi>
            </label>
            <select
              class="entry"
              id={field}
              name={partField(rankPart(rank), id)}
              dir="auto"
              required={required && rank <= least}
              aria-invalid={isWrong ? "true" : undefined}
              aria-describedby={isWrong ? noteIds(id).error : undefined}
            >
              <option value="">–</option>
              {options.map((option) => (
                <option
                  key={option.id}
                  value={option.id}
                  lang={author("option", option.id).lang}
                  selected={typed.parts[rankPart(rank)] === option.id}
                >
                  {clean(option.text)}
                </option>
              ))}
            </select>
          </div>
        );
      })}
    </fieldset>
  );
}
