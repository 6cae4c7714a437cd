// The rules of a page that decide nothing: where they hold at the end, reviewers read a signal.

import type { JSX } from "preact";
import type { Page } from "../../nouns/content/content.ts";
import { questionsBefore } from "./drafts/edits.ts";
import { Rule } from "./rule.tsx";
import { changePage, contentAsRead } from "./state/draft.ts";

export function PageSignals({ page }: { page: Page }): JSX.Element {
  const { id, attentionCheck, contradictsWhen } = page;
  const rules = [
    ["attentionCheck", "/when", "that the attention check failed", attentionCheck?.when],
    ["contradictsWhen", "", "of a contradiction", contradictsWhen],
  ] as const;
  return (
    <>
      {rules.map(([name, end, what, condition]) => (
        <Rule
          key={name}
          id={`${id}-${name}`}
          at={`p:${id}/${name}${end}`}
          start={`Tell reviewers ${what} if`}
          none="There is no such rule."
          condition={condition ?? null}
          questions={() => questionsBefore(contentAsRead.value, id)}
          onEdit={(when, mark) =>
            // Without a rule, a page does not have the member.
            changePage(
              id,
              ({ [name]: _, ...one }) => ({ ...one, ...(when && { [name]: end ? { when } : when }) }) as Page,
              mark,
            )
          }
        />
      ))}
    </>
  );
}
