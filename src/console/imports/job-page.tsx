// The page of one job: what an import or an undo will do, does, or has done; and what can be done about it.

import type { VNode } from "preact";
import { isUndo } from "../../api/job-kinds.ts";
import { clean } from "../../base/clean-text.ts";
import type { Job } from "../../client/types.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { FaultSummary } from "../shell/fault-list.tsx";
import { isRetryable, isUndoable, nameOfJob, stateOf, wordsOfWarning } from "../shell/job-words.ts";
import { ApiCall, renderPage, type SignedIn, Time } from "../shell/layout.tsx";
import { Effects, Wrong } from "./effects.tsx";
import { titleOf } from "./import-page.tsx";
import {
  Decide,
  isOutOfDate,
  type JobView,
  OfferPlaces,
  PlanAgain,
  RunAgain,
  TakeBack,
  Watch,
} from "./job-actions.tsx";
import { Blocked, Problem } from "./job-parts.tsx";
import { planWords } from "./plan-words.ts";

export function renderJob(base: string, signedIn: SignedIn, view: JobView): string {
  const { job, title, fault, refusal, curl } = view;
  const heading = headingOf(job);
  const page = title === undefined ? undefined : pageOf(job);
  return renderPage(
    {
      base,
      title: `${fault || refusal ? "Error – " : ""}${heading}`,
      signedIn,
      at: page ? "/console/studies" : "/console/jobs",
    },
    <>
      <p class="back">
        <a href={`${base}${page?.path ?? "/console/jobs"}`}>{page?.name ?? "Jobs"}</a>
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

function headingOf(job: Job): string {
  const { kind, status } = job;
  if (status !== "PLANNED") return nameOfJob(kind);
  if (isUndo(kind)) return "What the undo will do";
  return `What the ${planWords(job).noun} will do`;
}

/** The page of the study from which such a job comes; undefined: there is none. */
export function pageOf(job: Job): { path: string; name: string } | undefined {
  const { kind, screenerId } = job;
  if (screenerId === null || kind === "SCREENER_DELETION") return undefined;
  const { path, name } = planWords(job).page;
  return { path: `/console/studies/${screenerId}/${path}`, name };
}

interface Props {
  base: string;
  role: SignedIn["role"];
  view: JobView;
}

function Body({ base, role, view }: Props): VNode {
  const { job, fileId } = view;
  const mayAct = includesRole(role, job.kind === "PARTICIPANTS_ERASURE" ? "admin" : "researcher");
  const page = view.title === undefined ? undefined : pageOf(job);
  return (
    <>
      {job.finishedAt === null && <Watch base={base} view={view} mayAct={mayAct} />}
      {job.problem && !(page && mayAct && isOutOfDate(job)) && <Problem problem={job.problem} />}
      {page && isOutOfDate(job) && mayAct && <PlanAgain base={base} view={view} page={page} />}
      {job.warnings?.map((warning) => (
        <p class="warning" key={`${warning.code} ${warning.message}`}>
          {clean(wordsOfWarning(warning))}
        </p>
      ))}
      {job.summary && <Effects base={base} job={job} hasRows={view.hasRows} fileId={mayAct ? fileId : undefined} />}
      {job.status === "FAILED" && view.hasRows && <Wrong base={base} job={job} fileId={mayAct ? fileId : undefined} />}
      {mayAct && isRetryable(job) && <RunAgain base={base} view={view} />}
      {mayAct && job.status === "PLANNED" && <Decide base={base} view={view} />}
      {mayAct && job.status === "SUCCEEDED" && <OfferPlaces base={base} view={view} />}
      {mayAct && job.status === "SUCCEEDED" && isUndoable(job.kind) && <TakeBack base={base} view={view} />}
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
