// How many people have come how far, as bars with names.

import type { VNode } from "preact";

/** The same numbers as bars, each with its name and its share of the first. */
export function Funnel({ steps }: { steps: readonly (readonly [name: string, count: number])[] }): VNode {
  const most = Math.max(...steps.map(([, count]) => count));
  return (
    <div class="funnel" aria-hidden="true">
      {steps.map(([name, count]) => (
        <div class="funnel-step" key={name}>
          <span>{name}</span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect x="0" y="0" width={(count / most) * 100} height="1" />
          </svg>
          <span class="funnel-share">{Math.round((count / most) * 100)} %</span>
        </div>
      ))}
    </div>
  );
}
