// What can be done about a job: stop it, apply or discard its plan, run it again, take it back.

import type { VNode } from "preact";
import { isUndo } from "../../api/job-kinds.ts";
import { clean } from "../../base/clean-text.ts";
import type { Job } from "../../client/types.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import { countsOf, numberToConfirm } from "../shell/job-words.ts";
import { Time, Token } from "../shell/layout.tsx";
import { Progress } from "./job-parts.tsx";
import { planWords } from "./plan-words.ts";

export interface JobView {
  token: string;
  job: Job;
  /** Whether the browser asks again by itself. */
  isWatched: boolean;
  /** Of the study; undefined: there is none. */
  title: string | null | undefined;
  /** The file that the plan was made of, if it is still kept. */
  fileId: string | undefined;
  hasRows: boolean;
  /** Of a review of many: what it decides, and the quotas whose places can be offered after it. */
  review: { decision: "ACCEPTED" | "REJECTED"; free: { id: string; name: string }[] } | null;
  /** For the form that undoes the job. */
  key: string;
  typed: string;
  fault: string | undefined;
  /** Why it was not run again. */
  refusal: string | undefined;
  curl: string;
}

export function Watch({
  base,
  view: { job, isWatched, token },
  mayAct,
}: {
  base: string;
  view: JobView;
  mayAct: boolean;
}): VNode {
  const path = `${base}/console/jobs/${job.id}`;
  return (
    <section aria-label="Progress">
      {job.progress ? <Progress id={job.id} progress={job.progress} /> : <p>It waits for its turn.</p>}
      <p class="note">
        {isWatched ? (
          <>
            This page loads itself again until it is done. You may close it: the work goes on.{" "}
            <a href={`${path}?watch=off`}>Stop loading it again</a>
          </>
        ) : (
          <a href={path}>Load this page again until it is done</a>
        )}
      </p>
      {mayAct && (
        <form method="post" action={`${path}/cancel`}>
          <Token value={token} />
          <button class="button button-quiet" type="submit">
            Cancel it
          </button>
        </form>
      )}
    </section>
  );
}

export function Decide({ base, view: { job, token, typed, fault, review } }: { base: string; view: JobView }): VNode {
  const path = `${base}/console/jobs/${job.id}`;
  const counts = countsOf(job);
  const { removed = 0, rejected = 0, rows = 0 } = counts;
  const confirmed = numberToConfirm(job);
  const isBack = isUndo(job.kind);
  const { apply, effect, verb } = planWords(job);
  const isNothing = !isBack && (effect ? counts[effect] === 0 : rejected === rows && removed === 0);
  const isErasure = effect === "erased";
  const decide = review && (review.decision === "ACCEPTED" ? "Accept them" : "Reject them");
  const what = isBack ? "Take it back" : removed > 0 && effect === null ? "Import, and remove them" : (decide ?? apply);
  const isGrave = removed > 0 || isErasure || review?.decision === "REJECTED";
  return (
    <section class="decide" aria-labelledby="decide">
      <h2 id="decide">{isNothing ? `There is nothing to ${verb}` : "Nothing has happened yet"}</h2>
      {!isNothing && (
        <form method="post" action={`${path}/apply`}>
          <Token value={token} />
          {confirmed > 0 && (
            <LabelledField
              id="removals"
              label={
                review
                  ? "How many people are affected?"
                  : isErasure
                    ? "How many people will be erased?"
                    : "How many people will be removed from the study?"
              }
              hint={`Type ${confirmed} to confirm. ${review ? AFTER[review.decision] : isErasure ? "Everything that is kept about them is deleted." : "Their links stop working."} ${isErasure ? "They can’t be brought back." : "You can take it back for 30 days."}`}
              fault={fault}
            >
              {(described) => (
                <input
                  class="entry entry-short"
                  id="removals"
                  name="removals"
                  type="text"
                  inputMode="numeric"
                  autocomplete="off"
                  value={clean(typed)}
                  aria-describedby={described}
                  aria-invalid={fault ? "true" : undefined}
                />
              )}
            </LabelledField>
          )}
          <button class={isGrave ? "button button-grave" : "button"} type="submit">
            {what}
          </button>
        </form>
      )}
      <form method="post" action={`${path}/cancel`}>
        <Token value={token} />
        <button class="button button-quiet" type="submit">
          Discard this plan
        </button>
      </form>
      {job.plan && (
        <p class="note">
          What you see is what happens, or nothing: if something of it changes before, the page says so. You can decide
          until <Time at={job.plan.expiresAt} />.
        </p>
      )}
    </section>
  );
}

const AFTER = {
  ACCEPTED: "They take their places.",
  REJECTED: "Their places are free for others.",
} as const;

/** After many were rejected: to whom their places can be offered. */
export function OfferPlaces({ base, view: { job, review } }: { base: string; view: JobView }): VNode | null {
  if (review?.decision !== "REJECTED" || !review.free.length) return null;
  return (
    <section class="decide" aria-labelledby="offer-places">
      <h2 id="offer-places">There is room now</h2>
      <p>People who were turned away before can be offered the places of a quota:</p>
      <ul>
        {review.free.map(({ id, name }) => (
          <li key={id}>
            <a href={`${base}/console/studies/${job.screenerId}/quotas/${id}#offer`} dir="auto">
              {clean(name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ENDED: Record<string, string> = {
  plan_superseded: "Out of date: something was done since.",
  plan_outdated: "Out of date: something has changed since.",
  plan_expired: "Nobody applied it in time.",
};

/** Whether the job is a plan that ended because it was too old. */
export function isOutOfDate({ problem }: Job): boolean {
  return problem !== null && problem.code in ENDED;
}

/** A plan that is out of date leads to a new one. @param page of the study that it comes from */
export function PlanAgain(of: { base: string; view: JobView; page: { path: string; name: string } }): VNode {
  const { base, view, page } = of;
  const { code, detail } = view.job.problem!;
  const later = code === "plan_superseded" ? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(detail)?.[0] : undefined;
  const again = view.fileId === undefined ? page.path : `/console/files/${view.fileId}`;
  return (
    <section class="decide" aria-labelledby="plan-again">
      <h2 id="plan-again">{ENDED[code]}</h2>
      <p>
        Nothing of this plan has happened.
        {later !== undefined && (
          <>
            {" "}
            <a href={`${base}/console/jobs/${later}`}>See what was done since</a>.
          </>
        )}
      </p>
      <p>
        <a class="button" href={`${base}${again}`}>
          Plan again
        </a>
      </p>
    </section>
  );
}

export function RunAgain({ base, view: { job, token } }: { base: string; view: JobView }): VNode {
  return (
    <section class="decide" aria-labelledby="run-again">
      <h2 id="run-again">That was not your fault</h2>
      <p class="note">
        You can run it again as it was sent, for 7 days from its end, unless it was sent again meanwhile. What other
        jobs have done since stays.
      </p>
      <details>
        <summary>Run it again …</summary>
        <form class="confirm" method="post" action={`${base}/console/jobs/${job.id}/retry`}>
          <Token value={token} />
          <button class="button" type="submit">
            Yes, run it again
          </button>
        </form>
      </details>
    </section>
  );
}

export function TakeBack({ base, view: { job, token, key } }: { base: string; view: JobView }): VNode {
  return (
    <section class="decide" aria-labelledby="take-back">
      <h2 id="take-back">Was that wrong?</h2>
      <form method="post" action={`${base}/console/jobs/${job.id}/undo`}>
        <Token value={token} />
        <input type="hidden" name="key" value={key} />
        <p class="note">You see what an undo will do before anything happens. It is possible for 30 days.</p>
        <button class="button button-quiet" type="submit">
          {isUndo(job.kind) ? "Take the undo back …" : `Undo this ${planWords(job).noun} …`}
        </button>
      </form>
    </section>
  );
}
