// The page of a mailing's plan: to how many people it goes, to whom not and why, and the button that sends it.

import type { VNode } from "preact";
import type { Job } from "../../client/types.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { inWords, shown } from "../shell/job-words.ts";
import { ApiCall, Figure, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { REASONS } from "./words.ts";

/** From so many people on, their number has to be typed. */
export const CONFIRMED_FROM = 100;

interface PlanView {
  job: Job;
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderPlan(frame: StudyFrame, view: PlanView): string {
  const { job, fault, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/messages`;
  return renderStudyPage(
    frame,
    { at: "/messages", heading: "Plan of a message", hasFaults: fault !== undefined },
    <>
      <p class="back">
        <a href={path}>Messages</a>
      </p>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h2>Who gets it</h2>
      <Outcome job={job} />
      {job.status === "PLANNED" && <Decide frame={frame} path={path} view={view} />}
      <ApiCall curl={curl} />
    </>,
  );
}

function Outcome({ job: { status, summary, problem } }: { job: Job }): VNode {
  if (problem) return <p class="warning">{problem.detail}</p>;
  if (status !== "PLANNED" || !summary)
    return <p role="status">It is being planned. This page looks again by itself.</p>;
  const { send = 0, skip = 0, ...reasons } = summary;
  return (
    <>
      <dl class="figures">
        <Figure name="People who get it" value={shown(send)} />
        <Figure name="People who are left out" value={shown(skip)} />
      </dl>
      {skip > 0 && (
        <>
          <h3>Why people are left out</h3>
          <dl class="figures">
            {Object.entries(reasons).map(([reason, count]) => (
              <Figure key={reason} name={REASONS[reason] ?? inWords(reason)} value={shown(count)} />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function Decide({
  frame,
  path,
  view: { job, typed, fault },
}: {
  frame: StudyFrame;
  path: string;
  view: PlanView;
}): VNode {
  const send = job.summary?.send ?? 0;
  if (send === 0) return <p class="notice">Nobody would get it. Change to whom it goes.</p>;
  return (
    <form class="card" method="post" action={`${path}/plans/${job.id}`} novalidate>
      <Token value={frame.signedIn.token} />
      <p>
        Each person is looked at again before the message leaves: who has finished by then, or unsubscribed, gets none.
      </p>
      {send >= CONFIRMED_FROM && (
        <ConfirmField label={`${shown(send)} people are written to`} word={String(send)} typed={typed} fault={fault} />
      )}
      <button class="button" type="submit">
        Write to {send === 1 ? "1 person" : `${shown(send)} people`}
      </button>
    </form>
  );
}
