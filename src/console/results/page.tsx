// The page with a study's results: how far people have come, and what they have answered.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ResultsDay, ScreenerResults } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { addressOf, parametersOfFilter } from "../filters/asked.ts";
import { Filtered, type FilteredBy, KeptFilters } from "../filters/filtered.tsx";
import { ApiCall, Pages as ListPages } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { VersionSelect } from "../study/version-select.tsx";
import { Bars, type Column, Columns } from "./charts.tsx";
import { Findings } from "./findings.tsx";
import { Pages } from "./page-by-page.tsx";
import { QuestionCard } from "./question-results.tsx";

interface ResultsView {
  results: ScreenerResults;
  /** The publication that is live. */
  activeId: string | null;
  /** Of the study, for the days. */
  timeZone: string;
  /** The keys of participants' attributes. */
  attributes: string[];
  /** The id of a question, with that of a row behind it, `attributes.<key>` or `arms.<id>`; empty: not split. */
  splitBy: string;
  /** Whether it was to be split by a question that this version has not. */
  isUnsplit: boolean;
  /** Whether those are counted who have withdrawn. */
  includesWithdrawn: boolean;
  filtered: FilteredBy;
  /** Of the questions. */
  limit: number;
  offset: number;
  curl: string;
}

export function renderResults(frame: StudyFrame, view: ResultsView): string {
  const { results, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}`;
  return renderStudyPage(
    frame,
    { at: "/results", heading: "Results" },
    <>
      <Findings results={results} />
      <Funnel results={results} />
      {results.versions.length === 0 ? (
        <p>Nothing is published yet, so there are no answers.</p>
      ) : (
        <>
          <Filtered what="From here on" by={view.filtered} path={path} page="results" />
          <Choose path={`${path}/results`} view={view} />
          <p class="note">{shownVersions(results)}</p>
          {view.isUnsplit && <p class="warning">This version does not have what the results were split by.</p>}
          {results.countedSessions < results.sessions && (
            <p class="warning">
              Counted from a sample: {shown(results.countedSessions)} of {shown(results.startedSessions)} people who
              have started. Beside each share is the range in which it lies among all of them, with 95 % certainty.
            </p>
          )}
          <Days days={results.days} timeZone={view.timeZone} />
          <Pages pages={results.pages} started={results.startedSessions} />
          {results.questions.map((question) => (
            <QuestionCard
              key={`${question.screenerQuestionId} ${question.questionType}`}
              question={question}
              groups={results.groups}
            />
          ))}
          <ListPages
            path={pagePath(path, view)}
            total={results.questionCount}
            limit={view.limit}
            offset={view.offset}
          />
        </>
      )}
      <p class="apart">
        <a href={addressOf(`${path}/download`, { filters: view.filtered.filters })}>Download answers</a> as Excel or CSV
      </p>
      <ApiCall curl={curl} />
    </>,
  );
}

/** The page as it was asked for, without the position in the list of questions. */
function pagePath(path: string, { results, splitBy, includesWithdrawn, filtered }: ResultsView): string {
  const publicationId = results.screenerPublicationId;
  const query = new URLSearchParams({
    ...(publicationId && { publicationId }),
    ...(splitBy && { splitBy }),
    ...(includesWithdrawn && { includeWithdrawn: "true" }),
  });
  for (const [name, value] of filtered.filters.flatMap(parametersOfFilter)) query.append(name, value);
  return query.size ? `${path}/results?${query}` : `${path}/results`;
}

/** Which versions are counted, in words. */
function shownVersions({ version, versions }: ScreenerResults): string {
  if (version !== null) return `From here on: version ${version} alone.`;
  if (versions.length === 1) return "There is one version so far.";
  return `From here on: all ${counted(versions.length, "version", "versions")} together.`;
}

function Funnel({ results: { funnel } }: { results: ScreenerResults }): VNode {
  const { assigned, opened, started, completed, qualified, disqualified } = funnel;
  const steps = [
    ["Assigned", assigned],
    ["Got a link", opened],
    ["Started", started],
    ["Completed", completed],
    ["Qualified", qualified],
    ["Screened out or full", disqualified],
  ] as const;
  return (
    <section>
      <h2>How far people have come</h2>
      <Bars
        caption="How far people have come"
        heading="Step"
        bars={steps.map(([label, count]) => ({ label, count, groupCounts: [] }))}
        of={Math.max(assigned, opened)}
      />
    </section>
  );
}

function Choose({ path, view }: { path: string; view: ResultsView }): VNode {
  const { results, activeId, attributes, splitBy, includesWithdrawn } = view;
  const choices = results.splitQuestions;
  return (
    <form class="choose" method="get" action={path}>
      <KeptFilters filters={view.filtered.filters} />
      <VersionSelect
        versions={results.versions.map(({ screenerPublicationId: id, version }) => ({ id, version }))}
        activeId={activeId}
        chosen={results.screenerPublicationId}
      />
      <div>
        <label for="splitBy">Split by</label>
        <select class="entry" id="splitBy" name="splitBy">
          <option value="">Nothing</option>
          {choices.length > 0 && (
            <optgroup label="Answers">
              {choices.map(({ screenerQuestionId, prompt }) => (
                <option key={screenerQuestionId} value={screenerQuestionId} selected={screenerQuestionId === splitBy}>
                  {clean(prompt)}
                </option>
              ))}
            </optgroup>
          )}
          {results.splitRows.length > 0 && (
            <optgroup label="Answers in a row">
              {results.splitRows.map(({ screenerQuestionId, rowId, prompt, text }) => (
                <option
                  key={rowId}
                  value={`${screenerQuestionId}.${rowId}`}
                  selected={`${screenerQuestionId}.${rowId}` === splitBy}
                >
                  {clean(prompt)} – {clean(text)}
                </option>
              ))}
            </optgroup>
          )}
          {results.splitAssignments.length > 0 && (
            <optgroup label="Arms">
              {results.splitAssignments.map(({ assignmentId, name }) => (
                <option key={assignmentId} value={`arms.${assignmentId}`} selected={`arms.${assignmentId}` === splitBy}>
                  {clean(name)}
                </option>
              ))}
            </optgroup>
          )}
          {results.splitQuotas.length > 0 && (
            <optgroup label="Places in a quota">
              {results.splitQuotas.map(({ screenerQuotaId: id, name }) => (
                <option key={id} value={`quotas.${id}`} selected={`quotas.${id}` === splitBy}>
                  {clean(name)}
                </option>
              ))}
            </optgroup>
          )}
          {attributes.length > 0 && (
            <optgroup label="Attributes of people">
              {attributes.map((key) => (
                <option key={key} value={`attributes.${key}`} selected={`attributes.${key}` === splitBy}>
                  {clean(key)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
      <div class="choice">
        <input type="checkbox" id="withdrawn" name="includeWithdrawn" value="true" checked={includesWithdrawn} />
        <label for="withdrawn">With people who have withdrawn</label>
      </div>
      <button class="button" type="submit">
        Show
      </button>
    </form>
  );
}

const DAY_MS = 86_400_000;

function Days({ days, timeZone }: { days: ResultsDay[]; timeZone: string }): VNode | null {
  if (!days.length) return null;
  const known = new Map(days.map((day) => [day.date, day]));
  const last = Date.parse(days.at(-1)!.date);
  const columns: Column[] = [];
  // A year at most, also where somebody came long before all others.
  const first = Math.max(Date.parse(days[0]!.date), last - 365 * DAY_MS);
  for (let at = first; at <= last; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    const { started = 0, completed = 0, qualified = 0 } = known.get(date) ?? {};
    columns.push({ label: date, values: [started, completed, qualified] });
  }
  return (
    <section>
      <h2>By day</h2>
      <Columns
        caption={`People by day (${timeZone})`}
        heading="Day"
        series={["Started", "Completed", "Qualified"]}
        columns={columns}
      />
    </section>
  );
}
