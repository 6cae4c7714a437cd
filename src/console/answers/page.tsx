// The page with the answers to a study as a table: a row leads to the answers of one person.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { counted } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { type AskedFilter, type AskedTable, addressOf } from "../filters/asked.ts";
import { ApiCall, Pages } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { AnswerTable, type Shown, Who } from "./answer-table.tsx";
import { ChooseColumns, Filters, Kept } from "./choose.tsx";
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
            {startedInWords(table.total, asked.filters.length > 0, asked.texts !== undefined)}{" "}
            <a href={addressOf(path, { ...asked, isOldestFirst: !asked.isOldestFirst })}>
              {asked.isOldestFirst ? "Newest first" : "Oldest first"}
            </a>
          </p>
          {asked.texts === undefined ? <AnswerTable view={view} table={table} /> : <Texts view={view} table={table} />}
          <Pages path={address} total={table.total} limit={table.limit} offset={table.offset} />
          {table.total > 0 && <Files address={address} />}
          {table.total > 0 && <Next frame={frame} asked={asked} />}
        </>
      )}
      {view.withdrawn > 0 && (
        <p>
          <a href={`${frame.base}/console/studies/${frame.id}/withdrawn`}>
            {counted(view.withdrawn, "person has withdrawn", "people have withdrawn")}
          </a>
        </p>
      )}
      <ChooseColumns view={view} />
      <ApiCall curl={curl} />
    </>,
  );
}

function startedInWords(total: number, isFiltered: boolean, isText: boolean): string {
  const also = isFiltered ? `, and ${total === 1 ? "matches" : "match"}` : "";
  const did = isText ? "written something here" : "started";
  return `${counted(total, `person has ${did}`, `people have ${did}`)}${also}.`;
}

/** What can be done with those who are shown. */
function Next({ frame, asked }: { frame: StudyFrame; asked: AskedTable }): VNode {
  const { filters } = asked;
  const to = (page: string) => addressOf(`${frame.base}/console/studies/${frame.id}/${page}`, { filters });
  const canAct = includesRole(frame.signedIn.role, "researcher");
  return (
    <>
      <p>
        <a href={to("results")}>Their results</a>, or{" "}
        <a href={to("download")}>all their answers as a file, also for SPSS</a>
      </p>
      {canAct && (
        <p>
          <a href={`${to("messages")}#who`}>Write to them …</a>
        </p>
      )}
      {canAct && frame.hasReviews && (
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
