// How far people have come, page by page of the study.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ResultsPage } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { Table } from "../shell/table.tsx";

export function durationOf(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function Pages({ pages, started }: { pages: ResultsPage[]; started: number }): VNode | null {
  const isTimed = pages.some(({ medianSeconds }) => medianSeconds !== null);
  if ((pages.length < 2 && !isTimed) || !started) return null;
  const hasRefusals = pages.some(({ noConsent }) => noConsent > 0);
  const refusals = hasRefusals ? ["Has not agreed"] : [];
  return (
    <section>
      <h2>Page by page</h2>
      <Table columns={["Page", "Answered", "Stopped here", "Screened out here", ...refusals, "Time on it (median)"]}>
        {pages.map(
          ({ screenerPageId, title, lastVersion, answered, left, screenedOut, noConsent, medianSeconds }, at) => (
            <tr key={screenerPageId}>
              <td data-label="Page" dir="auto">
                {title === null ? `Page ${at + 1}` : clean(title)}
                {lastVersion !== null && <span class="note"> (until version {lastVersion})</span>}
              </td>
              <td data-label="Answered">{shown(answered)}</td>
              <td data-label="Stopped here">{shown(left)}</td>
              <td data-label="Screened out here">{shown(screenedOut)}</td>
              {hasRefusals && <td data-label="Has not agreed">{shown(noConsent)}</td>}
              <td data-label="Time on it (median)">{durationOf(medianSeconds)}</td>
            </tr>
          ),
        )}
      </Table>
    </section>
  );
}
