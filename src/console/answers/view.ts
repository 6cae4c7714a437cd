// What the page with the table of answers shows.

import type { ProblemDetail } from "../../base/problems.ts";
import type { PaginatedScreenerAnswers, ScreenerAnswerColumn } from "../../client/types.ts";
import type { AskedFilter, AskedTable } from "../filters/asked.ts";
import type { FilterField } from "../filters/filter-words.ts";

export interface AnswersView {
  asked: AskedTable;
  /** The names of the columns that are shown. The first one leads to the session. */
  shown: readonly string[];
  /** All columns of the study. */
  columns: readonly ScreenerAnswerColumn[];
  fields: readonly FilterField[];
  path: string;
  timeZone: string;
  /** How many people have withdrawn: they are not in the table. */
  withdrawn: number;
  /** The field of the filter that is being added; empty: none. */
  adding: string;
  /** The filter as it was sent, and refused. */
  added?: AskedFilter;
  errors: readonly ProblemDetail[];
  /** undefined: the query has errors. */
  table: PaginatedScreenerAnswers | undefined;
  curl: string;
}
