// The page with what was done in the workspace.

import { Fragment, type VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { EventKind } from "../../events/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { asText, ChangeList } from "../people/timeline.tsx";
import { changeInWords, type EventInWords, Words } from "../shell/event-words.tsx";
import { inWords, nameOfJob } from "../shell/job-words.ts";
import { ApiCall, Pages, renderPage, type SignedIn, Time } from "../shell/layout.tsx";

/** What can be asked for. */
export const KINDS: { kind: EventKind; name: string }[] = [
  { kind: "imports", name: "Imports" },
  { kind: "studies", name: "Studies" },
  { kind: "people", name: "People" },
  { kind: "answers", name: "Links and answers" },
  { kind: "access", name: "Users, keys and tokens" },
  { kind: "downloads", name: "Downloads" },
  { kind: "webhooks", name: "Webhooks" },
  { kind: "workspace", name: "The workspace" },
];

interface ActivityView {
  asked: { kind: string; from: string; to: string; zone: string };
  events: EventInWords[];
  /** The jobs that are there: those of long ago are gone, and a workspace that was restored as a new one never had them. */
  jobs: ReadonlySet<string>;
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderActivity(base: string, signedIn: SignedIn, view: ActivityView): string {
  const { asked, events, jobs, total, limit, offset, curl } = view;
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
            <label for="to">
              To, inclusive (<span data-zone>{asked.zone}</span>)
            </label>
            <input class="entry" type="date" id="to" name="to" value={asked.to} />
            <input type="hidden" name="zone" value={asked.zone} data-zone />
          </div>
          <button class="button" type="submit">
            Show
          </button>
        </form>
      </search>
      <p class="note" role="status">
        {total === 0 ? "Nothing was found." : counted(total, "entry", "entries")}
      </p>
      <div data-by-day>
        {byDay(events).map(([day, events]) => (
          <Fragment key={day}>
            <h2>{inFull(day)}</h2>
            <ol class="rows">
              {events.map((event) => (
                <Entry key={event.id} base={base} event={event} jobs={jobs} />
              ))}
            </ol>
          </Fragment>
        ))}
      </div>
      <Pages path={query ? `${path}?${query}` : path} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}

let dayFormat: Intl.DateTimeFormat | undefined;

function inFull(day: string): string {
  dayFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
  return dayFormat.format(new Date(day));
}

/** Events by their days in UTC. A script makes them those of the reader. */
function byDay(events: readonly EventInWords[]): [day: string, events: EventInWords[]][] {
  return [...Map.groupBy(events, ({ createdAt }) => createdAt.slice(0, "2026-01-31".length))];
}

function Entry({ base, event, jobs }: { base: string; event: EventInWords } & Pick<ActivityView, "jobs">): VNode {
  const { words, createdAt, changes, note, jobId, type } = event;
  // The words have it.
  const summary = type === "data.exported" ? null : event.summary;
  return (
    <li>
      <div>
        <p>
          <Words pieces={words} />
          {jobId !== null && jobs.has(jobId) && (
            <>
              {" "}
              <a href={`${base}/console/jobs/${jobId}`}>The job</a>
            </>
          )}
        </p>
        {summary && <p class="note">{summaryInWords(summary)}</p>}
        <Changes changes={changes} />
        {note !== null && <p class="note">“{clean(note)}”</p>}
      </div>
      <p class="note">
        <Time at={createdAt} />
      </p>
    </li>
  );
}

/** What has changed. What is new has many members: they are folded. */
function Changes({ changes }: Pick<EventInWords, "changes">): VNode | null {
  if (!changes.length) return null;
  const list = <ChangeList changes={changes.map(changeInWords)} />;
  if (changes.some(({ from }) => from !== null)) return list;
  return (
    <details>
      <summary>What it has</summary>
      {list}
    </details>
  );
}

/** Counts, the largest word first: what is 0 says nothing. */
function summaryInWords(summary: Record<string, unknown>): string {
  const said = Object.entries(summary).filter(([, value]) => value !== 0 && value !== null && !isId(value));
  return clean(
    said
      .map(
        ([name, value]) =>
          `${inWords(name).toLowerCase()}: ${typeof value === "number" ? shown(value) : asText(name === "kind" ? nameOfJob(String(value)) : value)}`,
      )
      .join(", "),
  );
}

function isId(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
}
