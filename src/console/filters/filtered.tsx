// Which people a page is about, where filters of the table of answers have chosen them.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { type AskedFilter, addressOf, parametersOfFilter } from "./asked.ts";

/** The filters of a page, each in words, too. */
export interface FilteredBy {
  filters: readonly AskedFilter[];
  words: readonly string[];
}

interface FilteredProps {
  /** Where it begins: `From here on`. */
  what: string;
  by: FilteredBy;
  /** Of the study's pages, and of this one. */
  path: string;
  page: string;
}

export function FilterWords({ words }: Pick<FilteredBy, "words">): VNode {
  return (
    <ul class="chips">
      {words.map((one) => (
        <li key={one} class="chip" dir="auto">
          {clean(one)}
        </li>
      ))}
    </ul>
  );
}

/** The filters in words, and the ways to the table and to everybody. */
export function Filtered({ what, by: { filters, words }, path, page }: FilteredProps): VNode | null {
  if (!filters.length) return null;
  return (
    <>
      <p class="apart">{what} only people who have started, and match:</p>
      <FilterWords words={words} />
      <p>
        <a href={addressOf(`${path}/answers`, { filters })}>Look at their answers, or change the filters</a>, or{" "}
        <a href={`${path}/${page}`}>take everybody</a>
      </p>
    </>
  );
}

/** What a form sends, so that its page has the same filters. */
export function KeptFilters({ filters }: Pick<FilteredBy, "filters">): VNode {
  return (
    <>
      {filters.flatMap(parametersOfFilter).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={clean(value)} />
      ))}
    </>
  );
}
