// The page with the workspace's studies.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Screener } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { MAX_SHOWN_QUALIFIED } from "../../nouns/publications/target.ts";
import type { Refusal } from "../../nouns/screeners/queries.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { ApiCall, Figure, Pages, renderPage, type SignedIn, Time } from "../shell/layout.tsx";
import { type AskedStudies, addressOf, Finding } from "./finding.tsx";
import { Funnel } from "./funnel.tsx";

export interface Study extends Pick<Screener, "id" | "title" | "opensAt" | "closesAt" | "linkExpiresAt" | "timeZone"> {
  state: "draft" | "live" | Refusal;
  /** Whether its draft differs from the live version. */
  isChanged: boolean;
  /** To the minute; null: nobody has answered yet. */
  lastAnswerAt: string | null;
  assigned: number;
  started: number;
  completed: number;
  qualified: number;
  screenedOut: number;
  /** The target of the live version, and how many have qualified by that version; null: there is none. */
  target: { version: number; wanted: number; qualified: number } | null;
  /** How many wait for a review, and since when the first of them. */
  review: { pending: number; since: string | null };
  /** Of its quota of everybody. null: there is none. */
  places: { limit: number; taken: number } | null;
}

interface StudiesView {
  asked: AskedStudies;
  /** How many are archived, where those in use are shown. */
  archived: number;
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
  expired: "Links expired",
  notYetOpen: "Not open yet",
};

export function renderStudies(base: string, signedIn: SignedIn, view: StudiesView): string {
  const { asked, archived, studies, curl, ...pages } = view;
  const isAll = asked.words === "" && !asked.isArchived;
  const path = addressOf(base, asked);
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
      <Finding base={base} asked={asked} total={view.total} />
      {pages.total === 0 && <p>{isAll ? "There is no study yet." : "No study was found."}</p>}
      {isAll && pages.offset === 0 && includesRole(signedIn.role, "researcher") && (
        <Steps base={base} studies={studies} />
      )}
      <ul class="cards">
        {studies.map((study) => (
          <Card key={study.id} base={base} study={study} />
        ))}
      </ul>
      <Pages path={path} {...pages} />
      {archived > 0 && (
        <p>
          <a href={`${base}/console/studies?archived`}>{counted(archived, "archived study", "archived studies")}</a>
        </p>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

/** What there is to do until the first person is there. Nothing after that. */
function Steps({ base, studies }: { base: string; studies: readonly Study[] }): VNode | null {
  const newest = studies[0];
  const published = studies.find(({ state }) => state !== "draft");
  const path = (study: Study | undefined, page: string) => study && `${base}/console/studies/${study.id}/${page}`;
  const steps = [
    {
      name: "Make a study",
      about: "from a template, or blank",
      isDone: newest !== undefined,
      path: `${base}/console/studies/new`,
    },
    {
      name: "Publish it",
      about: "when its questions are right",
      isDone: published !== undefined,
      path: path(newest, "publish"),
    },
    {
      name: "Share it",
      about: "with an open link, with one person, or with a list",
      isDone: studies.some(({ assigned }) => assigned > 0),
      path: path(published, "share"),
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">From nothing to the first answer</h2>
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            {step === next && step.path ? <a href={step.path}>{step.name}</a> : step.name}
            {step.isDone ? " – done" : `, ${step.about}`}
          </li>
        ))}
      </ol>
    </section>
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
    linkExpiresAt,
    timeZone,
    lastAnswerAt,
    assigned,
    started,
    completed,
    qualified,
    screenedOut,
    target,
    review,
    places,
  } = study;
  return (
    <>
      <p class="states">
        <span class={`state state-${state}`}>{stateWords[state]}</span>
        {isChanged && <span class="state">Draft differs from what is published</span>}
        {state === "notYetOpen" && opensAt !== null && (
          <span>
            opens <Time at={opensAt} timeZone={timeZone} />
          </span>
        )}
        {state === "live" && closesAt !== null && (
          <span>
            closes <Time at={closesAt} timeZone={timeZone} />
          </span>
        )}
        {(state === "live" || state === "expired") && linkExpiresAt !== null && (
          <span>
            {state === "live" ? "links expire" : "since"} <Time at={linkExpiresAt} timeZone={timeZone} />
          </span>
        )}
        {lastAnswerAt !== null && (
          <span>
            last answer <Time at={lastAnswerAt} />
          </span>
        )}
        {review.since !== null && (
          <span>
            {counted(review.pending, "waits", "wait")} for a review, since <Time at={review.since} />
          </span>
        )}
      </p>
      <dl class="figures">
        <Figure name="Assigned" value={shown(assigned)} />
        <Figure name="Started" value={shown(started)} />
        <Figure name="Completed" value={shown(completed)} />
        <Figure name="Qualified" value={shown(qualified)} />
        <Figure name="Screened out" value={shown(screenedOut)} />
        {places !== null && (
          <Figure name="Places taken / target" value={`${shown(places.taken)} / ${shown(places.limit)}`} />
        )}
      </dl>
      {target !== null && <Target target={target} />}
      {places !== null && places.limit > 0 && (
        <progress
          value={Math.min(places.taken, places.limit)}
          max={places.limit}
          aria-label={`Places taken, of ${places.limit}`}
        />
      )}
      {assigned > 0 && (
        <Funnel
          steps={[
            ["Assigned", assigned],
            ["Started", started],
            ["Completed", completed],
            ["Qualified", qualified],
          ]}
        />
      )}
    </>
  );
}

/** How far the live version is. A target counts who has qualified by its own version. */
function Target({ target: { version, wanted, qualified } }: { target: NonNullable<Study["target"]> }): VNode {
  const least = qualified < MAX_SHOWN_QUALIFIED ? "" : "at least ";
  const words = `Version ${version}: ${least}${shown(qualified)} of ${shown(wanted)} qualified`;
  return (
    <p class="target">
      <span>{words}</span>
      <progress value={Math.min(qualified, wanted)} max={wanted} aria-label={words} />
    </p>
  );
}
