// The page with a study's imports: those that are not finished, a form for a new one, and the links of imported people.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import { type Fault, FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { countsOf, nameOfJob, stateOf } from "../shell/job-words.ts";
import { ApiCall, Time, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

export interface StudyImports {
  token: string;
  screener: { id: string; isPublished: boolean };
  /** Those of which no plan was made yet. */
  files: { id: string; name: string; by: string; at: string }[];
  /** The newest first. */
  jobs: Job[];
  /** How many people the study has, and how many open links. */
  assigned: number;
  links: number;
  fault: string | undefined;
  /** Undefined: it is too long to be shown again. */
  pasted: string | undefined;
  openingKey: string;
  curl: string;
}

export function titleOf(title: string | null): string {
  return title === null ? "Without a title" : clean(title);
}

export function renderImport(frame: StudyFrame, view: StudyImports): string {
  const { base } = frame;
  const { fault, curl } = view;
  const faults: Fault[] = fault === undefined ? [] : [{ field: "file", message: fault }];
  return renderStudyPage(
    frame,
    { at: "/import", heading: "Import people", hasFaults: faults.length > 0 },
    <>
      <FaultSummary faults={faults} />
      <p>
        The study has {counted(view.assigned, "person", "people")}. You see what an import will do before it does
        anything, and can take it back for 30 days.{" "}
        {view.assigned > 0 && <a href={`${base}/console/people?study=${frame.id}`}>Show the people</a>}
      </p>
      <Unfinished base={base} view={view} />
      <Choose base={base} view={view} />
      <Links base={base} view={view} />
      <Earlier base={base} jobs={view.jobs.filter((job) => !isOpen(job))} />
      <ApiCall curl={curl} />
    </>,
  );
}

function isOpen({ status }: Job): boolean {
  return status === "PLANNED" || status === "QUEUED" || status === "RUNNING";
}

interface Props {
  base: string;
  view: StudyImports;
}

function Unfinished({ base, view: { token, files, jobs } }: Props): VNode | null {
  const open = jobs.filter(isOpen);
  if (!files.length && !open.length) return null;
  return (
    <section aria-labelledby="unfinished">
      <h2 id="unfinished">Not finished</h2>
      <ul class="rows">
        {files.map(({ id, name, by, at }) => (
          <li key={id}>
            <div>
              <a href={`${base}/console/files/${id}`}>
                <bdi>{clean(name)}</bdi>
              </a>
              <p class="note">
                Choose what its columns are. <Time at={at} />, by <bdi>{clean(by)}</bdi>. Kept for a day.
              </p>
            </div>
            <form method="post" action={`${base}/console/files/${id}/discard`}>
              <Token value={token} />
              <button class="button button-quiet" type="submit" aria-label={`Discard ${clean(name)}`}>
                Discard
              </button>
            </form>
          </li>
        ))}
        {open.map((job) => (
          <JobLine key={job.id} base={base} job={job} />
        ))}
      </ul>
    </section>
  );
}

function JobLine({ base, job }: { base: string; job: Job }): VNode {
  const { id, kind, status, blocked, createdAt, createdBy } = job;
  const { rows } = countsOf(job);
  return (
    <li>
      <div>
        <a href={`${base}/console/jobs/${id}`}>
          {nameOfJob(kind)}, <Time at={createdAt} />
        </a>
        <p class="note">
          By <bdi>{clean(createdBy.name)}</bdi>
          {rows !== undefined && <>, {counted(rows, "row", "rows")}</>}
        </p>
      </div>
      <span class={`state state-${status.toLowerCase()}`}>{stateOf({ status, blocked })}</span>
    </li>
  );
}

function Choose({ base, view: { token, screener, fault, pasted } }: Props): VNode {
  return (
    <section aria-labelledby="choose">
      <h2 id="choose">A new import</h2>
      <form method="post" action={`${base}/console/studies/${screener.id}/import`} enctype="multipart/form-data">
        <Token value={token} />
        <LabelledField
          id="file"
          label="Choose a file"
          hint="A workbook (.xlsx) or CSV. Its first line has headings. One column has the id that you use for people, or else their email."
          fault={fault}
        >
          {(described) => (
            <input
              class="entry"
              id="file"
              name="file"
              type="file"
              accept=".xlsx,.csv,.tsv,.txt,text/csv"
              aria-describedby={described}
              aria-invalid={fault === undefined ? undefined : "true"}
            />
          )}
        </LabelledField>
        {pasted === undefined && (
          <p class="note">
            The cells that you pasted are too many to be shown here again. Send them as a file, or paste them once more.
          </p>
        )}
        <LabelledField
          id="pasted"
          label="Or paste cells"
          hint="From Excel, Numbers or Google Sheets, with the line of headings."
        >
          {(described) => (
            <textarea
              class="entry cells"
              id="pasted"
              name="pasted"
              rows={5}
              spellcheck={false}
              autocomplete="off"
              aria-describedby={described}
              value={clean(pasted ?? "")}
            />
          )}
        </LabelledField>
        <button class="button" type="submit">
          Continue
        </button>
      </form>
    </section>
  );
}

function Links({ base, view: { token, screener, assigned, links, openingKey } }: Props): VNode {
  return (
    <section aria-labelledby="links">
      <h2 id="links">Links for a mail merge</h2>
      {links > 0 && (
        <p>
          <a href={`${base}/console/studies/${screener.id}/links.csv`} download>
            Download names and links (CSV)
          </a>
          , {counted(links, "link", "links")}
        </p>
      )}
      {assigned === 0 ? (
        <p class="note">Import people first: each of them gets a link of their own.</p>
      ) : screener.isPublished ? (
        <form method="post" action={`${base}/console/studies/${screener.id}/links`}>
          <Token value={token} />
          <input type="hidden" name="key" value={openingKey} />
          <p class="note">Everybody who has no open link gets one. Links that are open stay as they are.</p>
          <button class="button button-quiet" type="submit">
            Create links for everybody
          </button>
        </form>
      ) : (
        <p class="note">Publish the study first: a link opens what is published.</p>
      )}
    </section>
  );
}

function Earlier({ base, jobs }: { base: string; jobs: Job[] }): VNode | null {
  if (!jobs.length) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier</h2>
      <ul class="rows">
        {jobs.map((job) => (
          <JobLine key={job.id} base={base} job={job} />
        ))}
      </ul>
    </section>
  );
}
