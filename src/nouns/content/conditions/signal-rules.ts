// The rules of a page that decide nothing: where they hold at the end, there is a signal for those who review.

import type { Condition } from "../../question-types/comparisons.ts";

interface SignalRules {
  attentionCheck?: { when: Condition };
  contradictsWhen?: Condition;
}

/** @param read a rule of the page that came as JSON. Null: there is none */
export function readSignalRules(
  { attentionCheck, contradictsWhen }: Record<string, unknown>,
  read: (raw: unknown, pointer: string) => Condition | null,
): SignalRules {
  const { when } = (attentionCheck ?? {}) as { when?: unknown };
  const check = read(when, "/attentionCheck/when");
  const contradiction = read(contradictsWhen, "/contradictsWhen");
  return {
    ...(check && { attentionCheck: { when: check } }),
    ...(contradiction && { contradictsWhen: contradiction }),
  };
}
