// The page with the rows of a job that have one outcome.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job, JobRow } from "../../client/types.ts";
import { inWords, nameOfField, nameOfJob, shown } from "../shell/job-words.ts";
import { ApiCall, Pages, renderPage, type SignedIn } from "../shell/layout.tsx";
import { EFFECTS, type Outcome } from "./effects.tsx";

interface RowsView {
  job: Job;
  outcome: Outcome;
  rows: JobRow[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

const REASONS: Record<string, string> = {
  GONE: "The person does not exist any more.",
  EDITED: "The person was changed since.",
  ANSWERED: "The person has answered since.",
  OPENED: "The person got a link since.",
  UNASSIGNED: "The person was removed from the study since.",
  ASSIGNED_ELSEWHERE: "The person is in another study, too.",
  ASSIGNED_AGAIN: "The person was added to the study again.",
  EXTERNAL_UID_TAKEN: "Somebody else has the id now.",
  EMAIL_TAKEN: "Somebody else has the email now.",
};

export function renderRows(base: string, signedIn: SignedIn, view: RowsView): string {
  const { job, outcome, rows, curl, ...pages } = view;
  const { planned, done } = EFFECTS[outcome];
  const heading = `${shown(pages.total)} ${job.status === "PLANNED" ? planned : done}`;
  const path = `${base}/console/jobs/${job.id}`;
  return renderPage(
    { base, title: heading, signedIn, at: "/console/studies" },
    <>
      <p class="back">
        <a href={path}>{nameOfJob(job.kind)}</a>
      </p>
      <h1>{heading}</h1>
      <p>
        <a href={`${path}/rows.csv?outcome=${outcome}`} download>
          Download as CSV
        </a>
      </p>
      {rows.length > 0 && <Table base={base} outcome={outcome} rows={rows} />}
      <Pages path={`${path}/rows?outcome=${outcome}`} {...pages} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Table({ base, outcome, rows }: { base: string; outcome: Outcome; rows: JobRow[] }): VNode {
  const last = outcome === "REJECTED" ? "What is wrong" : outcome === "KEPT" ? "Why" : "What changes";
  const hasLines = rows.some(({ line }) => line !== null);
  return (
    <table class="cards-when-narrow">
      <thead>
        <tr>
          {hasLines && <th scope="col">Line</th>}
          <th scope="col">Id</th>
          <th scope="col">{last}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={`${at} ${row.externalUid}`}>
            {hasLines && <td data-label="Line">{row.line ?? ""}</td>}
            <td data-label="Id">
              {row.participantId !== null && row.externalUid !== null ? (
                <a href={`${base}/console/people/${row.participantId}`}>
                  <bdi>{clean(row.externalUid)}</bdi>
                </a>
              ) : (
                <bdi>{clean(row.externalUid ?? "none")}</bdi>
              )}
            </td>
            <td data-label={last}>
              <What row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function What({ row: { changes, errors, reason, status } }: { row: JobRow }): VNode {
  return (
    <>
      {errors.map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`}>{clean(`${memberOf(pointer)} ${message}`.trim())}</p>
      ))}
      {reason !== null && <p>{REASONS[reason] ?? inWords(reason)}</p>}
      {status !== null && <p>{inWords(status)}</p>}
      {changes.length > 0 && (
        <ul class="changes">
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              <span class="note">{clean(nameOfField(field))}</span> {from !== null && <del>{asText(from)}</del>}
              {from !== null && " → "}
              {to === null ? from === null ? "" : "nothing" : <bdi>{asText(to)}</bdi>}
            </li>
          ))}
        </ul>
      )}
      {!errors.length && reason === null && status === null && !changes.length && <p class="note">Nothing</p>}
    </>
  );
}

/** /participants/17/attributes/country → country. */
function memberOf(pointer: string): string {
  const member = pointer.split("/").slice(3).join(".");
  return member && nameOfField(member);
}

function asText(value: unknown): string {
  return clean(typeof value === "string" ? value : JSON.stringify(value));
}
