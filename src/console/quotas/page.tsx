// The page with the quotas of a study: how many places are taken, also as tables where they are a grid.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerQuota } from "../../client/types.ts";
import { quotaRule } from "../../nouns/content/difference.ts";
import { answerName, combinations, type Grid, gridsOf } from "../../nouns/content/grids.ts";
import type { QuestionsById } from "../../nouns/content/sentences.ts";
import { includesRole } from "../../workspaces/console-users.ts";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Pages } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { PlacesBar, placesInWords, statusOf } from "./words.tsx";

interface QuotasView {
  quotas: ScreenerQuota[];
  questions: QuestionsById;
  /** The names of quotas of the draft that do not count yet. */
  unpublished: string[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderQuotas(frame: StudyFrame, view: QuotasView): string {
  const { quotas, questions, total, limit, offset, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}`;
  const grids = gridsOf(quotas.filter(({ status }) => status !== "RETIRED"));
  return renderStudyPage(
    frame,
    { at: "/quotas", heading: "Quotas" },
    <>
      <Unpublished names={view.unpublished} />
      {total === 0 ? (
        <p>
          No quota is published.{" "}
          {includesRole(frame.signedIn.role, "researcher") && (
            <>
              Quotas are made where you <a href={`${path}/build`}>build the study</a>, and count when it is published.
            </>
          )}
        </p>
      ) : (
        <p class="note">
          {total === 1 ? "1 quota. It counts" : `${shown(total)} quotas. They count`} over all versions of the study. A
          place is held while somebody answers, and taken when that person completes the study and qualifies.
        </p>
      )}
      {grids.map((grid) => (
        <GridTable key={grid.questionIds.join()} grid={grid} questions={questions} path={path} />
      ))}
      <ul class="cards">
        {quotas.map((quota) => (
          <li class="card" key={quota.id}>
            <h2 dir="auto">
              <a href={`${path}/quotas/${quota.id}`}>{clean(quota.name)}</a>
            </h2>
            <Places quota={quota} questions={questions} />
          </li>
        ))}
      </ul>
      <Pages path={`${path}/quotas`} {...{ total, limit, offset }} />
      {total > 0 && (
        <p class="quota-file">
          <a href={`${path}/quotas.csv`} download>
            Download the quotas (CSV)
          </a>
        </p>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

/** Whom a quota counts, and how far it is. */
export function Places({ quota, questions }: { quota: ScreenerQuota; questions: QuestionsById }): VNode {
  const isOpen = quota.status === "OPEN";
  return (
    <>
      <p dir="auto">{clean(quotaRule(quota, questions))}.</p>
      <PlacesBar {...quota} />
      <p class="states">
        <strong>{placesInWords(quota)}</strong>
        <span class={isOpen ? "state state-live" : "state"}>{statusOf(quota)}</span>
      </p>
    </>
  );
}

function Unpublished({ names }: { names: string[] }): VNode | null {
  if (!names.length) return null;
  return (
    <p>
      {names.length === 1 ? "This quota of the draft does" : `These ${shown(names.length)} quotas of the draft do`} not
      count before it is published: <bdi>{names.map(clean).join("; ")}</bdi>.
    </p>
  );
}

/** A grid as a table: the last question has the columns. */
function GridTable({
  grid,
  questions,
  path,
}: {
  grid: Grid<ScreenerQuota>;
  questions: QuestionsById;
  path: string;
}): VNode {
  const names = grid.answers.map((answers) => answers.map((answer) => clean(answerName(answer, questions))));
  const prompts = grid.questionIds.map((id) => clean(questions.get(id)?.prompt ?? id));
  const columns = names.at(-1)!;
  const rows = combinations(names.slice(0, -1).map(({ length }) => length)).map((positions) => ({
    name: positions.map((at, index) => names[index]![at]!).join(", "),
    quotas: columns.map((_, at) => grid.quotaOf([...positions, at])),
  }));
  const all = rows.flatMap((row) => row.quotas);
  return (
    // Its links let the keyboard scroll it.
    <section class="frame" aria-label={prompts.join(", ")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{prompts.slice(0, -1).join(", ")}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Together</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, quotas }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {quotas.map((quota) => (
                <td key={quota.id}>
                  <a href={`${path}/quotas/${quota.id}`}>
                    {placesInWords(quota)}
                    <span class="unseen">: {clean(quota.name)}</span>
                  </a>
                  {quota.status !== "OPEN" && <p class="note">{statusOf(quota)}</p>}
                </td>
              ))}
              <td>{sumInWords(quotas)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Together</th>
            {columns.map((name, at) => (
              <td key={name}>{sumInWords(rows.map(({ quotas }) => quotas[at]!))}</td>
            ))}
            <td>{sumInWords(all)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function sumInWords(quotas: readonly ScreenerQuota[]): string {
  const taken = shown(quotas.reduce((sum, quota) => sum + quota.taken, 0));
  if (quotas.some(({ mode, limit }) => mode === "COUNT" || limit === null)) return `${taken} taken`;
  return `${taken} of ${shown(quotas.reduce((sum, { limit }) => sum + (limit ?? 0), 0))} taken`;
}
