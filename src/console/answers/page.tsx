// The page with the answers to a study as a table: a row leads to the answers of one person.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import type { PaginatedScreenerAnswers } from "../../client/types.ts";
import { answerCell, type Question } from "../../nouns/question-types/registry.ts";
import type { SignalKind } from "../../signals/settings.ts";
import { includesRole } from "../../workspaces/rights.ts";

import { shown as number } from "../shell/job-words.ts";
import { ApiCall, Pages, Time } from "../shell/layout.tsx";
import { SIGNAL_WORDS } from "../study/signal-words.ts";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { type AskedFilter, type AskedTable, addressOf } from "./asked.ts";
import { ChooseColumns, Filters, Kept } from "./choose.tsx";
import { memberInWords } from "./filter-words.ts";
import type { AnswersView } from "./view.ts";

export function renderAnswers(frame: StudyFrame, view: AnswersView): string {
  const { asked, path, table, errors, curl } = view;
  const address = addressOf(path, asked);
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "Answers", isWide: true, hasFaults: errors.length > 0 },
    <>
      {errors.length > 0 && <Errors errors={errors} />}
      <Filters view={view} />
      {table && (
        <>
          <p class="note">
            {startedInWords(table.total, asked.filters.length > 0)}{" "}
            <a href={addressOf(path, { ...asked, isOldestFirst: !asked.isOldestFirst })}>
              {asked.isOldestFirst ? "Newest first" : "Oldest first"}
            </a>
          </p>
          {asked.texts === undefined ? <AnswerTable view={view} table={table} /> : <Texts view={view} table={table} />}
          <Pages path={address} total={table.total} limit={table.limit} offset={table.offset} />
          {table.total > 0 && <Files address={address} />}
          {table.total > 0 && includesRole(frame.signedIn.role, "researcher") && <Next frame={frame} asked={asked} />}
        </>
      )}
      {view.withdrawn > 0 && (
        <p>
          <a href={`${frame.base}/console/studies/${frame.id}/withdrawn`}>
            {view.withdrawn === 1 ? "1 person has withdrawn" : `${number(view.withdrawn)} people have withdrawn`}
          </a>
        </p>
      )}
      <ChooseColumns view={view} />
      <ApiCall curl={curl} />
    </>,
  );
}

function startedInWords(total: number, isFiltered: boolean): string {
  if (total === 1) return `1 person has started${isFiltered ? ", and matches" : ""}.`;
  return `${number(total)} people have started${isFiltered ? ", and match" : ""}.`;
}

/** What can be done with those who are shown. */
function Next({ frame, asked }: { frame: StudyFrame; asked: AskedTable }): VNode {
  const those = { ...asked, columns: undefined, isOldestFirst: false, texts: "" };
  const to = (page: string) => addressOf(`${frame.base}/console/studies/${frame.id}/${page}`, those);
  return (
    <>
      <p>
        <a href={`${to("messages")}#who`}>Write to them …</a>
      </p>
      {frame.hasReviews && (
        <p>
          <a href={`${to("review")}#many`}>Accept or reject those of them who wait …</a>
        </p>
      )}
    </>
  );
}

function Errors({ errors }: { errors: readonly ProblemDetail[] }): VNode {
  return (
    <div class="warning" role="alert">
      <ul>
        {errors.map(({ pointer, message }) => (
          <li key={pointer + message} dir="auto">
            {clean(pointer ? `${pointer} ${message}` : message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Files({ address }: { address: string }): VNode {
  const of = (format: string) => `${address}${address.includes("?") ? "&" : "?"}file=${format}`;
  return (
    <p>
      Download this table: <a href={of("xlsx")}>Excel</a>, <a href={of("csv")}>CSV</a>
    </p>
  );
}

interface Shown {
  view: AnswersView;
  table: PaginatedScreenerAnswers;
}

function AnswerTable({ view, table }: Shown): VNode | null {
  const { asked, path } = view;
  if (!table.items.length) return null;
  return (
    // A region that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <section class="frame answer-frame" tabIndex={0} aria-label="Answers">
      <table class="cards-when-narrow answer-table">
        <thead>
          <tr>
            {table.columns.map(({ column, label, questionType }) => (
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
            ))}
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

type Item = PaginatedScreenerAnswers["items"][number];

function Who({ view, item }: { view: AnswersView; item: Item }): VNode {
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
const WORD = /^session\.(?:outcome|state|outcomeReason|judgedOutcome|review)$/;

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

function isSearchIn({ field, operator }: AskedFilter, column: string): boolean {
  return field === column && operator === "matches";
}

/** The answers to a question that is answered with a text, one below the other. */
function Texts({ view, table }: Shown): VNode {
  const { asked, path } = view;
  const column = asked.texts!;
  const { texts: _, ...all } = asked;
  return (
    <section>
      <h2 dir="auto">{clean(table.columns.find((one) => one.column === column)?.label ?? column)}</h2>
      <p>
        <a href={addressOf(path, all)}>Back to the table</a>
      </p>
      <form class="choose" method="get" action={path}>
        <Kept asked={{ ...asked, filters: asked.filters.filter((one) => !isSearchIn(one, column)) }} />
        <div>
          <label for="words">Words</label>
          <input
            class="entry"
            type="search"
            id="words"
            name={`filter[${column}][matches]`}
            autocomplete="off"
            dir="auto"
            value={clean(asked.filters.find((one) => isSearchIn(one, column))?.values[0] ?? "")}
          />
        </div>
        <button class="button" type="submit">
          Search
        </button>
      </form>
      <ul class="texts">
        {table.items.map((item) => (
          <li key={item.screenerSessionId}>
            <p class="answer-whole" dir="auto">
              {clean(String(item.values[column] ?? ""))}
            </p>
            <p class="note">
              <Who view={view} item={item} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
