// The page with the workspace's jobs: what they do, how far they are, and what went wrong.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { Blocked, Problem, Progress } from "../imports/job-parts.tsx";
import { inWords, nameOfJob, stateOf } from "../shell/job-words.ts";
import { ApiCall, Figure, Pages, renderPage, type SignedIn, Time } from "../shell/layout.tsx";
import { OtherOrder, withSort } from "../shell/table.tsx";

interface JobsView {
  total: number;
  limit: number;
  offset: number;
  jobs: Job[];
  isOldestFirst: boolean;
  curl: string;
}

export function renderJobs(
  base: string,
  signedIn: SignedIn,
  { jobs, isOldestFirst, curl, ...pages }: JobsView,
): string {
  const path = `${base}/console/jobs`;
  return renderPage(
    { base, title: "Jobs", signedIn, at: "/console/jobs" },
    <>
      <h1>Jobs</h1>
      <p class="note">Imports and other long work. Reload the page to see how far it is now.</p>
      {pages.total > 1 && <OtherOrder path={path} at={isOldestFirst ? "createdAt" : "-createdAt"} />}
      {pages.total === 0 && <p>There is no job.</p>}
      <ul class="cards">
        {jobs.map((job) => (
          <Card key={job.id} base={base} job={job} />
        ))}
      </ul>
      <Pages path={withSort(path, isOldestFirst ? "createdAt" : "")} {...pages} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Card({ base, job }: { base: string; job: Job }): VNode {
  const { id, kind, status, progress, summary, problem, blocked, createdBy, createdAt, finishedAt } = job;
  const isOpen = finishedAt === null;
  return (
    <li class="card">
      <h2>
        <a href={`${base}/console/jobs/${id}`}>{nameOfJob(kind)}</a>
      </h2>
      <p class="states">
        <span class={`state state-${status.toLowerCase()}`}>{stateOf(job)}</span>
        <span>
          <Time at={createdAt} />, by <bdi>{clean(createdBy.name)}</bdi>
        </span>
      </p>
      {isOpen && progress && <Progress id={id} progress={progress} />}
      {blocked && <Blocked blocked={blocked} />}
      {problem && <Problem problem={problem} />}
      {summary && (
        <dl class="figures">
          {Object.entries(summary).map(([name, value]) => (
            <Figure key={name} name={inWords(name)} value={shown(value)} />
          ))}
        </dl>
      )}
    </li>
  );
}
