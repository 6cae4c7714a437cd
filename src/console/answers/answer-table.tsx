// The table of answers: a row for each person.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { PaginatedScreenerAnswers } from "../../client/types.ts";
import { answerCell, type Question } from "../../nouns/question-types/registry.ts";
import type { SignalKind } from "../../signals/settings.ts";
import { addressOf } from "../filters/asked.ts";
import { memberInWords } from "../filters/filter-words.ts";
import { Time } from "../shell/layout.tsx";
import { Heading, type Sorting } from "../shell/table.tsx";
import { SIGNAL_WORDS } from "../study/signal-words.ts";
import type { AnswersView } from "./view.ts";

export interface Shown {
  view: AnswersView;
  table: PaginatedScreenerAnswers;
}

export function AnswerTable({ view, table }: Shown): VNode | null {
  const { asked, path } = view;
  if (!table.items.length) return null;
  return (
    // A region that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <section class="frame answer-frame" tabIndex={0} aria-label="Answers">
      <table class="cards-when-narrow answer-table">
        <thead>
          <tr>
            {table.columns.map(({ column, label, questionType }) =>
              column === "session.startedAt" ? (
                <Heading key={column} column={{ name: clean(label), by: "startedAt" }} sorting={sortingOf(view)} />
              ) : (
                <th scope="col" key={column}>
                  <bdi>{clean(label)}</bdi>
                  {questionType === "ScreenerTextQuestion" && (
                    <>
                      {" "}
                      <a class="note" href={addressOf(path, { ...asked, texts: column })}>
                        Read<span class="unseen"> all texts: {clean(label)}</span>
                      </a>
                    </>
                  )}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {table.items.map((item) => (
            <tr key={item.screenerSessionId}>
              {table.columns.map(({ column, label, questionType }, at) => (
                <td key={column} data-label={clean(label)}>
                  {at === 0 ? (
                    <Who view={view} item={item} />
                  ) : (
                    <CellOf view={view} column={column} type={questionType} value={item.values[column]} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The newest come first, unless the address says otherwise. */
function sortingOf({ asked, path }: AnswersView): Sorting {
  return {
    path: addressOf(path, { ...asked, isOldestFirst: false }),
    at: asked.isOldestFirst ? "startedAt" : "-startedAt",
  };
}

type Item = PaginatedScreenerAnswers["items"][number];

export function Who({ view, item }: { view: AnswersView; item: Item }): VNode {
  return (
    <a href={`${view.path}/${item.screenerSessionId}`}>
      <bdi>{clean(String(item.values[view.shown[0]!] ?? ""))}</bdi>
    </a>
  );
}

/** The signals of somebody, each of which leads to all who have it. */
function SignalChips({ view: { asked, path }, kinds }: { view: AnswersView; kinds: readonly SignalKind[] }): VNode {
  const others = asked.filters.filter(({ field }) => field !== "signal");
  return (
    <ul class="chips">
      {kinds.map((kind) => (
        <li key={kind}>
          <a
            href={addressOf(path, {
              ...asked,
              filters: [...others, { field: "signal", operator: "eq", values: [kind] }],
              offset: 0,
            })}
          >
            {SIGNAL_WORDS[kind]}
          </a>
        </li>
      ))}
    </ul>
  );
}

const TIME = /^session\.\w+At$/;
const WORD = /^(?:session\.(?:outcome|state|outcomeReason|judgedOutcome|review)|quotas\..+)$/;

function CellOf(of: { view: AnswersView; column: string; type: string | null; value: unknown }): VNode {
  const { view, column, type, value } = of;
  if (value === undefined || value === null) return <span class="note">–</span>;
  if (TIME.test(column)) return <Time at={String(value)} timeZone={view.timeZone} />;
  if (column === "session.signals")
    return <SignalChips view={view} kinds={String(value).split("; ") as SignalKind[]} />;
  if (WORD.test(column)) return <>{memberInWords(value)}</>;
  const text = type === null ? String(value) : String(answerCell(type as Question["_type"], value));
  return (
    <span class="answer-text" dir="auto">
      {clean(text)}
    </span>
  );
}
