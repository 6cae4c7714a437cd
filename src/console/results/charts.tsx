// Charts, drawn as SVG: each is a table with bars in it, or has its table beside it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { shown } from "../../languages/counted.ts";

/** A row of a chart: how many of all, and of each group. */
export interface Bar {
  label: string;
  count: number;
  groupCounts: readonly number[];
  /** What is said beside the label. */
  note?: string | undefined;
  /** The ranges in which the shares lie, of a sample: of all, and of each group. */
  ranges?: readonly Range[] | undefined;
}

interface Range {
  low: number;
  high: number;
}

interface BarsProps {
  /** What the table is about, for those who don't see it. */
  caption: string;
  /** What the labels are. */
  heading: string;
  bars: readonly Bar[];
  /** What 100 % is, for all. */
  of: number;
  groups?: readonly Group[];
}

/** What results are split into. A label that is null: everybody else, who come last. */
export interface Group {
  label: string | null;
  of: number;
}

const NOBODY_ELSE = "Everybody else";

/** Horizontal bars. The table is the chart. */
export function Bars({ caption, heading, bars, of, groups = [] }: BarsProps): VNode {
  // Where nobody else has answered, there is nothing to say of them.
  const others = groups.filter(({ label, of: number }) => label !== null || number > 0);
  const columns = [{ label: "All", of }, ...others.map((group) => ({ ...group, label: group.label ?? NOBODY_ELSE }))];
  return (
    <table class={groups.length ? "bars bars-split" : "bars"}>
      <caption class="unseen">{clean(caption)}</caption>
      <thead class={groups.length ? undefined : "unseen"}>
        <tr>
          <th scope="col">{heading}</th>
          {columns.map(({ label, of: number }) => (
            <th scope="col" key={label}>
              <bdi>{clean(label)}</bdi> <span class="note">of {shown(number)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, count, groupCounts, note, ranges }, at) => (
          <tr key={`${at} ${label}`}>
            <th scope="row" dir="auto">
              {clean(label)}
              {note && <span class="note"> {note}</span>}
            </th>
            {columns.map((column, group) => (
              <td key={column.label} data-label={groups.length ? clean(column.label) : undefined}>
                <Share
                  count={group ? (groupCounts[group - 1] ?? 0) : count}
                  of={column.of}
                  range={column.of ? ranges?.[group] : undefined}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A share as a bar, in per cent, and as a number. */
export function Share({ count, of, range }: { count: number; of: number; range: Range | undefined }): VNode {
  const share = of ? Math.min(count / of, 1) : 0;
  return (
    <span class="share">
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-ground" width="100" height="10" />
        <rect width={(share * 100).toFixed(2)} height="10" />
      </svg>
      <span class="share-number">{percent(share)}</span> <span class="note">{shown(count)}</span>
      {range && (
        <span class="share-range">
          {(range.low * 100).toFixed(1)} to {(range.high * 100).toFixed(1)} %
        </span>
      )}
    </span>
  );
}

export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  // Nothing and everything are said only where they are true.
  if (share > 0 && rounded === 0) return "< 1 %";
  if (share < 1 && rounded === 100) return "> 99 %";
  return `${rounded} %`;
}

/** In units of the picture, which is 600 wide. */
const MAX_COLUMN_WIDTH = 60;

export interface Column {
  label: string;
  /** In the order of the series. */
  values: readonly number[];
}

/** Columns in the order of time or size; a later series stands before the earlier ones. With a table. */
export function Columns({
  caption,
  heading,
  series,
  columns,
  hasTable = true,
}: {
  caption: string;
  heading: string;
  series: readonly string[];
  columns: readonly Column[];
  hasTable?: boolean;
}): VNode {
  const most = Math.max(1, ...columns.flatMap(({ values }) => values));
  // A few are not drawn as wide as there is room.
  const width = Math.min(600 / columns.length, MAX_COLUMN_WIDTH);
  return (
    <figure class="columns-chart">
      <div class="columns-most note" aria-hidden="true">
        {shown(most)}
      </div>
      <svg
        class="columns-picture"
        viewBox="0 0 600 160"
        preserveAspectRatio="none"
        role="img"
        aria-label={clean(caption)}
      >
        {columns.map(({ label, values }, at) =>
          values.map((value, index) => {
            const height = (value / most) * 160;
            const gap = Math.min(2, width / 5);
            return (
              <rect
                key={`${label} ${series[index]}`}
                class={`series series-${index}-of-${series.length}`}
                x={(at * width + gap / 2).toFixed(2)}
                y={(160 - height).toFixed(2)}
                width={(width - gap).toFixed(2)}
                height={height.toFixed(2)}
              />
            );
          }),
        )}
      </svg>
      <div class="columns-ends note" aria-hidden="true">
        <span>{columns[0]?.label}</span>
        {columns.length > 1 && <span>{columns.at(-1)!.label}</span>}
      </div>
      {series.length > 1 && (
        <ul class="legend">
          {series.map((name, index) => (
            <li key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class={`series series-${index}-of-${series.length}`} width="10" height="10" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      {hasTable && (
        <details>
          <summary>As a table</summary>
          <div class="frame">
            <table>
              <caption class="unseen">{clean(caption)}</caption>
              <thead>
                <tr>
                  <th scope="col">{heading}</th>
                  {series.map((name) => (
                    <th scope="col" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {columns
                  .filter(({ values }) => values.some(Boolean))
                  .map(({ label, values }) => (
                    <tr key={label}>
                      <th scope="row">{label}</th>
                      {values.map((value, index) => (
                        <td key={series[index]}>{shown(value)}</td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </figure>
  );
}
