// The page of one job: what an import or an undo will do, does, or has done; and what can be done about it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job } from "../../client/types.ts";
import { FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { isRetryable, nameOfJob, removalsToConfirm, stateOf, wordsOfWarning } from "../shell/job-words.ts";
import { ApiCall, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import { Effects, IMPORT, UNDO, Wrong } from "./effects.tsx";
import { titleOf } from "./import-page.tsx";
import { Blocked, Problem, Progress } from "./job-parts.tsx";

interface JobView {
  token: string;
  job: Job;
  /** Whether the browser asks again by itself. */
  isWatched: boolean;
  /** Of the study; undefined: there is none. */
  title: string | null | undefined;
  /** The file that the plan was made of, if it is still kept. */
  fileId: string | undefined;
  hasRows: boolean;
  /** For the form that undoes the job. */
  key: string;
  typed: string;
  fault: string | undefined;
  /** Why it was not run again. */
  refusal: string | undefined;
  curl: string;
}

export function renderJob(base: string, signedIn: SignedIn, view: JobView): string {
  const { job, title, fault, refusal, curl } = view;
  const heading = headingOf(job);
  const back = job.screenerId !== null && title !== undefined && job.kind !== "SCREENER_DELETION";
  return renderPage(
    {
      base,
      title: `${fault || refusal ? "Error – " : ""}${heading}`,
      signedIn,
      at: back ? "/console/studies" : "/console/jobs",
    },
    <>
      <p class="back">
        {back ? (
          <a href={`${base}/console/studies/${job.screenerId}/import`}>Import people</a>
        ) : (
          <a href={`${base}/console/jobs`}>Jobs</a>
        )}
      </p>
      <FaultSummary faults={fault ? [{ field: "removals", message: fault }] : refusal ? [{ message: refusal }] : []} />
      <h1>{heading}</h1>
      <p class="states">
        <span class={`state state-${job.status.toLowerCase()}`}>{stateOf(job)}</span>
        <span>
          {title !== undefined && (
            <>
              <bdi>{titleOf(title)}</bdi>,{" "}
            </>
          )}
          <Time at={job.createdAt} />, by <bdi>{clean(job.createdBy.name)}</bdi>
        </span>
      </p>
      {job.blocked && <Blocked blocked={job.blocked} />}
      <Body base={base} role={signedIn.role} view={view} />
      <ApiCall curl={curl} />
    </>,
  );
}

function headingOf({ kind, status }: Job): string {
  if (kind === UNDO) return status === "PLANNED" ? "What the undo will do" : nameOfJob(kind);
  return kind === IMPORT && status === "PLANNED" ? "What the import will do" : nameOfJob(kind);
}

interface Props {
  base: string;
  role: SignedIn["role"];
  view: JobView;
}

function Body({ base, role, view }: Props): VNode {
  const { job, fileId } = view;
  const mayAct = role !== "viewer";
  return (
    <>
      {job.finishedAt === null && <Watch base={base} view={view} mayAct={mayAct} />}
      {job.problem && <Problem problem={job.problem} />}
      {job.warnings?.map((warning) => (
        <p class="warning" key={`${warning.code} ${warning.message}`}>
          {clean(wordsOfWarning(warning))}
        </p>
      ))}
      {job.summary && <Effects base={base} job={job} hasRows={view.hasRows} fileId={mayAct ? fileId : undefined} />}
      {job.status === "FAILED" && view.hasRows && <Wrong base={base} job={job} fileId={mayAct ? fileId : undefined} />}
      {mayAct && isRetryable(job) && <RunAgain base={base} view={view} />}
      {mayAct && job.status === "PLANNED" && <Decide base={base} view={view} />}
      {mayAct && job.status === "SUCCEEDED" && (job.kind === IMPORT || job.kind === UNDO) && (
        <TakeBack base={base} view={view} />
      )}
      {job.status === "SUCCEEDED" && job.kind === "SCREENER_SESSIONS_OPENING" && (
        <p>
          <a href={`${base}/console/studies/${job.screenerId}/links.csv`} download>
            Download names and links (CSV)
          </a>
        </p>
      )}
      {mayAct && fileId && (
        <p>
          <a href={`${base}/console/files/${fileId}`}>Change what the columns are</a>
        </p>
      )}
    </>
  );
}

function Watch({
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

function Decide({ base, view: { job, token, typed, fault } }: { base: string; view: JobView }): VNode {
  const path = `${base}/console/jobs/${job.id}`;
  const { removed = 0, rejected = 0, rows = 0 } = job.summary ?? {};
  const confirmed = removalsToConfirm(job);
  const isUndo = job.kind === UNDO;
  const isNothing = !isUndo && rejected === rows && removed === 0;
  return (
    <section class="decide" aria-labelledby="decide">
      <h2 id="decide">{isNothing ? "There is nothing to import" : "Nothing has happened yet"}</h2>
      {!isNothing && (
        <form method="post" action={`${path}/apply`}>
          <Token value={token} />
          {confirmed > 0 && (
            <LabelledField
              id="removals"
              label={`How many people will be removed from the study?`}
              hint={`Type ${removed} to confirm. Their links stop working. You can take it back for 30 days.`}
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
          <button class={removed > 0 ? "button button-grave" : "button"} type="submit">
            {isUndo ? "Take it back" : removed > 0 ? "Import, and remove them" : "Import"}
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

function RunAgain({ base, view: { job, token } }: { base: string; view: JobView }): VNode {
  return (
    <section class="decide" aria-labelledby="run-again">
      <h2 id="run-again">That was not your fault</h2>
      <p class="note">
        It can run again as it was sent, for 7 days from its end, unless it was sent again meanwhile. What other jobs
        have done since stays; it is done on top of that.
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

function TakeBack({ base, view: { job, token, key } }: { base: string; view: JobView }): VNode {
  return (
    <section class="decide" aria-labelledby="take-back">
      <h2 id="take-back">Was that wrong?</h2>
      <form method="post" action={`${base}/console/jobs/${job.id}/undo`}>
        <Token value={token} />
        <input type="hidden" name="key" value={key} />
        <p class="note">You see what an undo will do before anything happens. It is possible for 30 days.</p>
        <button class="button button-quiet" type="submit">
          {job.kind === UNDO ? "Take the undo back …" : "Undo this import …"}
        </button>
      </form>
    </section>
  );
}
