// The page with the quotas of a study: how many places are taken, also as tables where they are a grid.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerArm, ScreenerQuota } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { answerName, type Grid, gridsOf } from "../../nouns/content/grids/grids.ts";
import { type ContentNames, quotaRule } from "../../nouns/content/sentences.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { GridTable } from "../islands/grid-table.tsx";
import { ApiCall, Pages } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { Arms } from "./arms.tsx";
import { WhatIf, type WhatIfView } from "./what-if.tsx";
import { PlacesBar, placesInWords, statusOf } from "./words.tsx";

interface QuotasView {
  quotas: ScreenerQuota[];
  questions: ContentNames;
  /** The names of quotas of the draft that do not count yet. */
  unpublished: string[];
  /** Null: no quota of the draft has a limit that counts. */
  whatIf: WhatIfView | null;
  /** For how long after the last answer places are held. */
  holdMinutes: number;
  arms: ScreenerArm[];
  /** How many arms are not shown. */
  moreArms: number;
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
          {counted(total, "quota. It counts", "quotas. They count")} over all versions of the study. A place is held
          while somebody answers, until {counted(view.holdMinutes, "minute", "minutes")} after the last answer, and
          taken when that person completes the study and qualifies
          {frame.hasReviews && ", and is accepted by the review"}.
        </p>
      )}
      <p>
        <a class="button button-quiet" href={`${path}/feasibility`}>
          Who fits this study?
        </a>
      </p>
      {grids.map((grid) => (
        <QuotasGrid key={grid.questionIds.join()} grid={grid} questions={questions} path={path} />
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
      {view.whatIf && <WhatIf frame={frame} view={view.whatIf} />}
      {total > 0 && (
        <p class="quota-file">
          <a href={`${path}/quotas.csv`} download>
            Download the quotas (CSV)
          </a>
        </p>
      )}
      <Arms arms={view.arms} more={view.moreArms} path={path} />
      <ApiCall curl={curl} />
    </>,
  );
}

/** Whom a quota counts, and how far it is. */
export function Places({ quota, questions }: { quota: ScreenerQuota; questions: ContentNames }): VNode {
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
      {names.length === 1
        ? "This quota of the draft does"
        : `These ${counted(names.length, "quota", "quotas")} of the draft do`}{" "}
      not count before it is published: <bdi>{names.map(clean).join("; ")}</bdi>.
    </p>
  );
}

function QuotasGrid({
  grid,
  questions,
  path,
}: {
  grid: Grid<ScreenerQuota>;
  questions: ContentNames;
  path: string;
}): VNode {
  const asked = grid.questionIds.map((id, index) => ({
    prompt: clean(questions.promptOf(id)),
    answers: grid.answers[index]!.map((answer) => clean(answerName(answer, questions))),
  }));
  return (
    <GridTable
      label={asked.map(({ prompt }) => prompt).join(", ")}
      questions={asked}
      cellOf={grid.quotaOf}
      show={(quota) => (
        <>
          <a href={`${path}/quotas/${quota.id}`}>
            {placesInWords(quota)}
            <span class="unseen">: {clean(quota.name)}</span>
          </a>
          {quota.status !== "OPEN" && <p class="note">{statusOf(quota)}</p>}
        </>
      )}
      showSum={sumInWords}
      hasLinks
    />
  );
}

function sumInWords(quotas: readonly ScreenerQuota[]): string {
  const taken = shown(quotas.reduce((sum, quota) => sum + quota.taken, 0));
  if (quotas.some(({ mode, limit }) => mode === "COUNT" || limit === null)) return `${taken} taken`;
  return `${taken} of ${shown(quotas.reduce((sum, { limit }) => sum + (limit ?? 0), 0))} taken`;
}
