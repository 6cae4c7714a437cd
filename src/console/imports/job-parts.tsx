// What pages show of a job: how far it is, and what went wrong.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job, JobProblem } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { inWords } from "../shell/job-words.ts";
import { Time } from "../shell/layout.tsx";

/** How many errors of a job are shown. */
const MAX_SHOWN_ERRORS = 5;

/** What is counted in each phase. */
const PHASES: Record<string, string> = {
  STAGING: "Rows that are read",
  COMPARING: "Rows that are compared",
  PREPARING: "Links that are prepared",
  APPLYING: "Changes that are written",
};

export function Progress({
  id,
  progress: { phase, done, total },
}: {
  id: string;
  progress: NonNullable<Job["progress"]>;
}): VNode {
  return (
    <div>
      <p id={`progress-${id}`}>
        {PHASES[phase] ?? inWords(phase)}: {shown(done)}
        {total !== null && ` of ${shown(total)}`}
      </p>
      {total !== null && total > 0 && (
        <progress value={Math.min(done, total)} max={total} aria-labelledby={`progress-${id}`} />
      )}
    </div>
  );
}

/** Why a job is set aside, for people. */
const REASONS: Record<string, string> = {
  store_refused: "the workspace’s data is missing or damaged",
  store_unavailable: "the workspace’s data can’t be read or written at the moment",
  store_full: "the disk is full",
  store_busy: "something else has been writing all the time",
  spool_unavailable: "its file can’t be read at the moment",
  results_unavailable: "its result can’t be written or read at the moment",
  newer_worker_needed: "it needs a newer release of the service",
};

/** That a job is set aside: nobody has to do anything here, but those who run the service may have to. */
export function Blocked({ blocked: { since, code, nextTryAt } }: { blocked: NonNullable<Job["blocked"]> }): VNode {
  return (
    <p class="note">
      Set aside since <Time at={since} />, because {REASONS[code] ?? inWords(code)}. Other jobs go on. It is tried every
      hour, next at <Time at={nextTryAt} />.
    </p>
  );
}

export function Problem({
  problem: { title, detail, errors = [], errorCount = errors.length },
}: {
  problem: JobProblem;
}): VNode {
  const [first] = errors;
  // The detail of a problem with one error is that error.
  const isSaid = errors.length < 2 && (!first || detail.toLowerCase().includes(first.message.toLowerCase()));
  return (
    <div class="summary">
      <h3>{title}</h3>
      <p>{clean(detail)}</p>
      {!isSaid && (
        <ul>
          {errors.slice(0, MAX_SHOWN_ERRORS).map(({ pointer, message, row }) => (
            <li key={`${row} ${pointer} ${message}`}>
              {row !== undefined && `Row ${row}: `}
              {pointer && <code>{clean(pointer)}</code>} {clean(message)}
            </li>
          ))}
        </ul>
      )}
      {errorCount > MAX_SHOWN_ERRORS && errors.length > MAX_SHOWN_ERRORS && (
        <p>And {errorCount - MAX_SHOWN_ERRORS} more.</p>
      )}
    </div>
  );
}
