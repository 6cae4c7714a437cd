// The page with what was done in the workspace.

import type { VNode } from "preact";
import { clean } from "../../text.ts";
import { inWords, shown } from "./job.ts";
import { ApiCall, Pages, renderPage, type SignedIn, Time } from "./layout.tsx";
import { asText, ChangeList } from "./timeline.tsx";

/** Of the resource Event. */
export interface Done {
  id: string;
  /** What its type says. */
  says: string;
  createdAt: string;
  actor: { _type: string; id: string; name: string };
  jobId: string | null;
  resource: { _type: string; id: string };
  changes: { field: string; from: unknown; to: unknown }[];
  summary: Record<string, unknown> | null;
  note: string | null;
}

/** What can be asked for: the types that begin so. */
export const KINDS = [
  { kind: "imports", name: "Imports", beginnings: ["import."] },
  { kind: "studies", name: "Studies", beginnings: ["screener.", "screener-publication.", "quota."] },
  { kind: "people", name: "People", beginnings: ["participant.", "screener-participant."] },
  { kind: "answers", name: "Links and answers", beginnings: ["screener-session"] },
  { kind: "access", name: "Users, keys and tokens", beginnings: ["user.", "api-key.", "access-token."] },
  { kind: "webhooks", name: "Webhooks", beginnings: ["webhook-"] },
  { kind: "workspace", name: "The workspace", beginnings: ["workspace.", "attribute-index.", "retention.", "job."] },
];

export interface ActivityView {
  asked: { kind: string; from: string; to: string };
  events: Done[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderActivity(base: string, signedIn: SignedIn, view: ActivityView): string {
  const { asked, events, total, limit, offset, curl } = view;
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value)).toString();
  const path = `${base}/console/activity`;
  return renderPage(
    { base, title: "Activity", signedIn, at: "/console/activity" },
    <>
      <h1>Activity</h1>
      <search>
        <form class="choose" method="get" action={path}>
          <div>
            <label for="kind">About</label>
            <select class="entry" id="kind" name="kind">
              <option value="">Everything</option>
              {KINDS.map(({ kind, name }) => (
                <option key={kind} value={kind} selected={kind === asked.kind}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <div>
            <label for="from">From</label>
            <input class="entry" type="date" id="from" name="from" value={asked.from} />
          </div>
          <div>
            <label for="to">To, inclusive (UTC)</label>
            <input class="entry" type="date" id="to" name="to" value={asked.to} />
          </div>
          <button class="button" type="submit">
            Show
          </button>
        </form>
      </search>
      <p class="note" role="status">
        {total === 0 ? "Nothing was found." : total === 1 ? "1 entry" : `${shown(total)} entries`}
      </p>
      <ol class="rows">
        {events.map((event) => (
          <Entry key={event.id} base={base} event={event} />
        ))}
      </ol>
      <Pages path={query ? `${path}?${query}` : path} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Entry({ base, event }: { base: string; event: Done }): VNode {
  const { says, createdAt, actor, changes, summary, note, jobId } = event;
  const about = linkOf(base, event);
  return (
    <li>
      <div>
        <p>
          {says} {about && <a href={about.path}>{about.name}</a>}
          {jobId !== null && (
            <>
              {" "}
              <a href={`${base}/console/jobs/${jobId}`}>The job</a>
            </>
          )}
        </p>
        {summary && <p class="note">{summaryInWords(summary)}</p>}
        {changes.length > 0 && (
          <details>
            <summary>{changes.length === 1 ? "1 change" : `${changes.length} changes`}</summary>
            <ChangeList changes={changes.map(({ field, ...values }) => ({ name: field, ...values }))} />
          </details>
        )}
        {note !== null && <p class="note">“{clean(note)}”</p>}
      </div>
      <p class="note">
        <Time at={createdAt} />, by <bdi>{clean(actor.name)}</bdi>
      </p>
    </li>
  );
}

/** The page of what an event is about, if it has one. */
function linkOf(base: string, { resource: { _type, id } }: Done): { path: string; name: string } | undefined {
  if (_type === "Screener") return { path: `${base}/console/studies/${id}`, name: "The study" };
  if (_type === "Participant") return { path: `${base}/console/people/${id}`, name: "The person" };
  return undefined;
}

/** Counts, the largest word first: what is 0 says nothing. */
function summaryInWords(summary: Record<string, unknown>): string {
  const said = Object.entries(summary).filter(([, value]) => value !== 0 && value !== null && !isId(value));
  return clean(
    said
      .map(
        ([name, value]) =>
          `${inWords(name).toLowerCase()}: ${typeof value === "number" ? shown(value) : asText(value)}`,
      )
      .join(", "),
  );
}

function isId(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
}
