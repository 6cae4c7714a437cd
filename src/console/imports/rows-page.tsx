// The page with the rows of a job that have one outcome.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job, JobRow, Tag } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import type { NamedSession } from "../../nouns/sessions/queries.ts";
import { inWords, nameOfField, nameOfJob } from "../shell/job-words.ts";
import { REVIEWS, inWords as stateInWords } from "../shell/known-words.ts";
import { ApiCall, Pages, renderPage, type SignedIn } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { EFFECTS, type Outcome } from "./effects.tsx";
import { planWords } from "./plan-words.ts";

interface RowsView {
  job: Job;
  outcome: Outcome;
  rows: JobRow[];
  /** Of the sessions that rows name, by id. */
  sessions: ReadonlyMap<string, NamedSession>;
  /** Of the publications that rows name, by id. */
  versions: ReadonlyMap<unknown, number>;
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
  REMOVED: "The link was removed since.",
  MOVED_AGAIN: "The link was moved again since.",
  GIVEN_BACK: "The place was given back since.",
  LAPSED: "The offer has lapsed.",
  OVER_LIMIT: "Over the limit.",
  NOT_ASKED: "The version that was answered did not ask for it.",
  COPIED: "Another site knows the former link: the person gets a new one, with the answers.",
  QUOTA_FULL: "One of the person’s quotas is full.",
  QUOTA_PAUSED: "One of the person’s quotas is paused.",
  TARGET_REACHED: "The target of the version is reached.",
  DECIDED: "Somebody has decided about the person since.",
  NOT_REVIEWED: "The person does not wait for a review.",
  WITHDRAWN: "The person has withdrawn.",
  ANOTHER_SESSION: "The person has got another link since.",
};

/** What a row says that has nothing else to say. */
const UNSAID: { [outcome in JobRow["outcome"]]?: string } = {
  COUNTED: "Takes a place.",
  OFFERED: "Goes on, with a place held in each of the person’s quotas.",
};

/** The member of a session that says on which version it is. */
export const PUBLICATION = "screenerPublicationId";

export function renderRows(base: string, signedIn: SignedIn, view: RowsView): string {
  const { job, outcome, rows, versions, curl, ...pages } = view;
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
      {rows.length > 0 && <Rows base={base} view={view} />}
      <Pages path={`${path}/rows?outcome=${outcome}`} {...pages} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Rows({ base, view }: { base: string; view: RowsView }): VNode {
  const { job, outcome, rows, versions } = view;
  const last =
    outcome === "REJECTED" ? "What is wrong" : ["KEPT", "SKIPPED"].includes(outcome) ? "Why" : "What changes";
  const first = planWords(job).isOfLinks ? "Person" : "Id";
  const hasLines = rows.some(({ line }) => line !== null);
  return (
    <Table columns={[...(hasLines ? ["Line"] : []), first, last]}>
      {rows.map((row, at) => (
        <tr key={`${at} ${row.externalUid ?? row.sessionId}`}>
          {hasLines && <td data-label="Line">{row.line ?? ""}</td>}
          <td data-label={first}>
            <Whose base={base} view={view} row={row} />
          </td>
          <td data-label={last}>
            <What row={row} versions={versions} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The person, with the way to the answers, where it is about a link. */
function Whose({ base, view: { job, sessions }, row }: { base: string; view: RowsView; row: JobRow }): VNode {
  const { externalUid, participantId, sessionId } = row;
  const named = sessionId === null ? undefined : sessions.get(sessionId);
  if (named && planWords(job).isOfLinks)
    return (
      <a href={`${base}/console/studies/${job.screenerId}/answers/${named.reference}`}>
        <bdi>{clean(named.externalUid)}</bdi>
      </a>
    );
  const name = <bdi>{clean(externalUid ?? "none")}</bdi>;
  if (participantId === null || externalUid === null) return name;
  return <a href={`${base}/console/people/${participantId}`}>{name}</a>;
}

function What({
  row: { changes, errors, outcome, reason, status },
  versions,
}: Pick<RowsView, "versions"> & { row: JobRow }): VNode {
  const named = ({ field, from, to }: JobRow["changes"][number]) => {
    if (field === PUBLICATION) return { name: "Version", from: versions.get(from) ?? from, to: versions.get(to) ?? to };
    if (field === "review.state") return { name: "Review", from: reviewInWords(from), to: reviewInWords(to) };
    return { name: nameOfField(field), from, to };
  };
  return (
    <>
      {errors.map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`}>{clean(`${memberOf(pointer)} ${message}`.trim())}</p>
      ))}
      {reason !== null && <p>{REASONS[reason] ?? inWords(reason)}</p>}
      {status !== null && <p>{inWords(status)}</p>}
      {changes.length > 0 && (
        <ul class="changes">
          {changes.map(named).map(({ name, from, to }) => (
            <li key={name}>
              <span class="note">{clean(name)}</span> {from !== null && <del>{asText(from)}</del>}
              {from !== null && " → "}
              {to === null ? from === null ? "" : "nothing" : <bdi>{asText(to)}</bdi>}
            </li>
          ))}
        </ul>
      )}
      {!errors.length && reason === null && status === null && !changes.length && (
        <p class="note">{UNSAID[outcome] ?? "Nothing"}</p>
      )}
    </>
  );
}

const reviewInWords = (state: unknown) =>
  typeof state === "string" ? stateInWords(REVIEWS, state as keyof typeof REVIEWS) : state;

/** /participants/17/attributes/country → country. */
function memberOf(pointer: string): string {
  const member = pointer.split("/").slice(3).join(".");
  return member && nameOfField(member);
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.length ? value.map(tagInWords).join(", ") : "none";
  return clean(typeof value === "string" ? value : JSON.stringify(value));
}

function tagInWords({ category, value }: Tag): string {
  return clean(`${category}: ${value}`);
}
