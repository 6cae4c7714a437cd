// What results come down to: how many have completed and qualified, how long it takes, and where most people stop.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ResultsPage, ScreenerResults } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { percent } from "./charts.tsx";
import { durationOf } from "./page-by-page.tsx";

type Finding = [label: string, figure: string];

/** Of the study, with all its versions; pages of a version alone are not the study's. */
export function Findings({ results: { funnel, pages, version } }: { results: ScreenerResults }): VNode | null {
  const { started, completed, qualified } = funnel;
  if (!started) return null;
  const findings: Finding[] = [
    ["Completed", `${shown(completed)} of ${shown(started)} who started (${percent(completed / started)})`],
  ];
  if (completed) findings.push(["Qualified", `${shown(qualified)} (${percent(qualified / completed)})`]);
  if (version === null) findings.push(...timeOf(pages), ...dropOf(pages));
  return (
    <dl class="figures">
      {findings.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The medians of all pages, one after the other. */
function timeOf(pages: readonly ResultsPage[]): Finding[] {
  const seconds = pages.reduce((sum, { medianSeconds }) => sum + (medianSeconds ?? 0), 0);
  return seconds ? [["Time, the medians of all pages", durationOf(seconds)]] : [];
}

/** The page after which most people stop. */
function dropOf(pages: readonly ResultsPage[]): Finding[] {
  const most = Math.max(0, ...pages.map(({ left }) => left));
  const at = pages.findIndex(({ left }) => left === most);
  if (!most) return [];
  const { title, answered } = pages[at]!;
  const share = percent(most / Math.max(answered, most));
  return [["Most people stop after", `${title === null ? `Page ${at + 1}` : clean(title)} (${shown(most)}, ${share})`]];
}
