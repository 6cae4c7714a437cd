// The page with the workspace's studies.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Screener } from "../../client/types.ts";
import { includesRole } from "../../workspaces/console-users.ts";
import { ApiCall, Figure, Pages, renderPage, type SignedIn, Time } from "../shell/layout.tsx";

export interface Study extends Pick<Screener, "id" | "title" | "opensAt" | "closesAt"> {
  state: "draft" | "live" | "paused" | "closed" | "notYetOpen";
  /** Whether its draft differs from the live version. */
  isChanged: boolean;
  /** To the minute; null: nobody has answered yet. */
  lastAnswerAt: string | null;
  assigned: number;
  started: number;
  completed: number;
  qualified: number;
  screenedOut: number;
  /** Of its publication. null: there is none. */
  target: number | null;
  /** Of its quota of everybody. null: there is none. */
  places: { limit: number; taken: number } | null;
}

interface StudiesView {
  total: number;
  limit: number;
  offset: number;
  studies: Study[];
  curl: string;
}

export const stateWords: Record<Study["state"], string> = {
  draft: "Draft",
  live: "Live",
  paused: "Paused",
  closed: "Closed",
  notYetOpen: "Not open yet",
};

export function renderStudies(base: string, signedIn: SignedIn, view: StudiesView): string {
  const { studies, curl, ...pages } = view;
  return renderPage(
    { base, title: "Studies", signedIn, at: "/console/studies" },
    <>
      <h1>Studies</h1>
      {includesRole(signedIn.role, "researcher") && (
        <p>
          <a class="button" href={`${base}/console/studies/new`}>
            New study
          </a>
        </p>
      )}
      {pages.total === 0 && <p>There is no study yet.</p>}
      <ul class="cards">
        {studies.map((study) => (
          <Card key={study.id} base={base} study={study} />
        ))}
      </ul>
      <Pages path={`${base}/console/studies`} {...pages} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Card({ base, study }: { base: string; study: Study }): VNode {
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={`${base}/console/studies/${study.id}`}>
          {study.title === null ? "Without a title" : clean(study.title)}
        </a>
      </h2>
      <StudyFigures study={study} />
    </li>
  );
}

/** The state of a study, and its counts. */
export function StudyFigures({ study }: { study: Study }): VNode {
  const {
    state,
    isChanged,
    opensAt,
    closesAt,
    lastAnswerAt,
    assigned,
    started,
    completed,
    qualified,
    screenedOut,
    target,
    places,
  } = study;
  return (
    <>
      <p class="states">
        <span class={`state state-${state}`}>{stateWords[state]}</span>
        {isChanged && <span class="state">Draft differs from what is published</span>}
        {state === "notYetOpen" && opensAt !== null && (
          <span>
            opens <Time at={opensAt} />
          </span>
        )}
        {state === "live" && closesAt !== null && (
          <span>
            closes <Time at={closesAt} />
          </span>
        )}
        {lastAnswerAt !== null && (
          <span>
            last answer <Time at={lastAnswerAt} />
          </span>
        )}
      </p>
      <dl class="figures">
        <Figure name="Assigned" value={assigned.toLocaleString("en-GB")} />
        <Figure name="Started" value={started.toLocaleString("en-GB")} />
        <Figure name="Completed" value={completed.toLocaleString("en-GB")} />
        <Figure
          name={target === null ? "Qualified" : "Qualified / target"}
          value={
            target === null
              ? qualified.toLocaleString("en-GB")
              : `${qualified.toLocaleString("en-GB")} / ${target.toLocaleString("en-GB")}`
          }
        />
        <Figure name="Screened out" value={screenedOut.toLocaleString("en-GB")} />
        {places !== null && (
          <Figure
            name="Places taken / target"
            value={`${places.taken.toLocaleString("en-GB")} / ${places.limit.toLocaleString("en-GB")}`}
          />
        )}
      </dl>
      {assigned > 0 && <Funnel steps={[assigned, started, completed, qualified]} />}
      {target !== null && (
        <progress value={Math.min(qualified, target)} max={target} aria-label={`Qualified, of ${target}`} />
      )}
      {places !== null && places.limit > 0 && (
        <progress
          value={Math.min(places.taken, places.limit)}
          max={places.limit}
          aria-label={`Places taken, of ${places.limit}`}
        />
      )}
    </>
  );
}

/** The same numbers as bars, one below the other. */
function Funnel({ steps }: { steps: number[] }): VNode {
  const most = Math.max(...steps);
  return (
    <svg class="funnel" viewBox={`0 0 100 ${steps.length * 4 - 1}`} preserveAspectRatio="none" aria-hidden="true">
      {steps.map((count, step) => (
        <rect key={step} x="0" y={step * 4} width={(count / most) * 100} height="3" />
      ))}
    </svg>
  );
}
