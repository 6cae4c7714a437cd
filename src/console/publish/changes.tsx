// Changes from one content to another one, as a list.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ContentChange } from "../../nouns/content/advice/changes.ts";

export function ChangeList({ changes }: { changes: readonly ContentChange[] }): VNode | null {
  if (!changes.length) return null;
  return (
    <ul class="differences">
      {changes.map(({ text, details }) => (
        <li key={text}>
          <bdi>{clean(text)}</bdi>
          {details.length > 0 && (
            <ul>
              {details.map((detail) => (
                <li key={detail}>
                  <bdi>{clean(detail)}</bdi>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
