// The rules of a page that decide nothing: where they hold at the end, reviewers read a signal.

import type { JSX } from "preact";
import type { Page } from "../../nouns/content/content.ts";
import { questionsBefore } from "./drafts/edits.ts";
import { Rule } from "./rule.tsx";
import { changePage, contentAsRead } from "./state.ts";

export function PageSignals({ page }: { page: Page }): JSX.Element {
  const { id } = page;
  return (
    <>
      <Rule
        id={`${id}-check`}
        at={`p:${id}/attentionCheck/when`}
        start="Tell reviewers that the attention check failed if"
        none="Nothing on this page checks whether people read it."
        condition={page.attentionCheck?.when ?? null}
        questions={() => questionsBefore(contentAsRead.value, id)}
        onEdit={(when, mark) => {
          const without = ({ attentionCheck: _, ...one }: Page): Page => one;
          changePage(id, (one) => ({ ...without(one), ...(when && { attentionCheck: { when } }) }), mark);
        }}
      />
      <Rule
        id={`${id}-contradiction`}
        at={`p:${id}/contradictsWhen`}
        start="Tell reviewers of a contradiction if"
        none="No contradictions are looked for on this page."
        condition={page.contradictsWhen ?? null}
        questions={() => questionsBefore(contentAsRead.value, id)}
        onEdit={(when, mark) => {
          const without = ({ contradictsWhen: _, ...one }: Page): Page => one;
          changePage(id, (one) => ({ ...without(one), ...(when && { contradictsWhen: when }) }), mark);
        }}
      />
    </>
  );
}
