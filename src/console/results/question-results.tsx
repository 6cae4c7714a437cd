// What was answered to one question, as a chart.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ResultsGroup, ResultsQuestion, ResultsRow, ResultsStatistics } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { inWords } from "../shell/known-words.ts";
import { type Bar, Bars, Columns } from "./charts.tsx";
import { MatrixResults } from "./matrix-results.tsx";

const HEADINGS = { OPTIONS: "Answer", HISTOGRAM: "Number", WORDS: "Word", MATRIX: "Answer" };

export function QuestionCard({ question, groups }: { question: ResultsQuestion; groups: ResultsGroup[] }): VNode {
  const { screenerQuestionId, prompt, answered, skipped, chart, groupAnswered, lastVersion } = question;
  // A question whose type was changed is there twice.
  const id = `question-${screenerQuestionId}${lastVersion === null ? "" : `-${lastVersion}`}`;
  const split = groups.map(({ label }, at) => ({ label, of: groupAnswered[at]! }));
  const heading = inWords(HEADINGS, chart.kind);
  const rows = mostOf(chart.rows);
  const bars = <Bars caption={prompt} heading={heading} bars={rows.map(barOf)} of={answered} groups={split} />;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} dir="auto">
        {clean(prompt)}
      </h2>
      <Versions question={question} />
      <p class="note">
        {counted(answered, "answer", "answers")}
        {skipped > 0 && `, ${shown(skipped)} skipped`}
        <Statistics statistics={chart.statistics} />
      </p>
      {answered > 0 && chart.kind === "HISTOGRAM" && (
        <>
          <Columns
            caption={prompt}
            heading={heading}
            series={["Answers"]}
            columns={chart.rows.map(({ label, count }) => ({ label, values: [count] }))}
            hasTable={false}
          />
          <details open={split.length > 0}>
            <summary>As a table</summary>
            {bars}
          </details>
        </>
      )}
      {answered > 0 && chart.matrixRows && (
        <MatrixResults
          caption={prompt}
          rows={chart.matrixRows}
          groups={split.map(({ label }) => label)}
          {...{ barOf }}
        />
      )}
      {answered > 0 && chart.kind !== "HISTOGRAM" && !chart.matrixRows && bars}
      {rows.length < chart.rows.length && (
        <p class="note">
          The {rows.length} that most have chosen, of {chart.rows.length}. The API has all.
        </p>
      )}
    </section>
  );
}

/** What is to be known of a question's versions. */
function Versions({ question }: { question: ResultsQuestion }): VNode | null {
  const { changedInVersion, formerPrompts, lastVersion } = question;
  if (changedInVersion === null && lastVersion === null) return null;
  return (
    <>
      {lastVersion !== null && (
        <p class="note">Not in the newest version: version {lastVersion} was the last with it.</p>
      )}
      {changedInVersion !== null && (
        <details>
          <summary>In these words since version {changedInVersion}</summary>
          <ul>
            {formerPrompts.map(({ prompt, fromVersion, toVersion }) => (
              <li key={fromVersion}>
                {fromVersion === toVersion ? `Version ${fromVersion}` : `Versions ${fromVersion} to ${toVersion}`}:{" "}
                <span dir="auto">{clean(prompt)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function barOf({ label, count, groupCounts, isFormer, meanRank, low, high, groupLows, groupHighs }: ResultsRow): Bar {
  const groups = groupLows?.map((groupLow, at) => ({ low: groupLow, high: groupHighs![at]! })) ?? [];
  return {
    label,
    count,
    groupCounts,
    note: [isFormer && "(former option)", meanRank !== null && `(first; average rank ${inShort(meanRank)})`]
      .filter(Boolean)
      .join(" "),
    ranges: low === null ? undefined : [{ low, high: high! }, ...groups],
  };
}

/** Of more options those are shown that most have chosen, in the order of the question. */
const MAX_ROWS = 50;

function mostOf(rows: ResultsRow[]): ResultsRow[] {
  if (rows.length <= MAX_ROWS) return rows;
  const most = new Set([...rows].sort((one, other) => other.count - one.count).slice(0, MAX_ROWS));
  return rows.filter((row) => most.has(row));
}

let shortly: Intl.NumberFormat | undefined;

function inShort(number: number): string {
  shortly ??= new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
  return shortly.format(number);
}

function Statistics({ statistics }: { statistics: ResultsStatistics | null }): VNode | null {
  if (!statistics) return null;
  const { min, max, mean, median } = statistics;
  return (
    <>{` · from ${inShort(min)} to ${inShort(max)}, average ${inShort(mean)}, half are at most ${inShort(median)}`}</>
  );
}
