// The page of a mailing's plan: to how many people it goes, to whom not and why, and the button that sends it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Job, Participant } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { countedAs, SKIP_REASONS, type SkipReason } from "../../mailings/reasons.ts";
import { REASONS } from "../people/mailing-words.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { countsOf, inWords } from "../shell/job-words.ts";
import { ApiCall, Figure, Pages, Token } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

/** From so many people on, their number has to be typed. */
export const CONFIRMED_FROM = 100;

/** Which people of a plan can be listed: those who get it, or those with a reason. */
export const CHOICES = ["SEND", ...SKIP_REASONS] as const;

export interface PlannedPeople {
  /** `""`: all of them. */
  chosen: (typeof CHOICES)[number] | "";
  rows: { person: Participant | undefined; reason: string | null }[];
  total: number;
  limit: number;
  offset: number;
}

interface PlanView {
  job: Job;
  /** Undefined: it is not planned yet, or any more. */
  people: PlannedPeople | undefined;
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderPlan(frame: StudyFrame, view: PlanView): string {
  const { job, people, fault, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/messages`;
  return renderStudyPage(
    frame,
    { at: "/messages", heading: "Plan of a message", hasFaults: fault !== undefined },
    <>
      <p class="back">
        <a href={path}>Messages</a>
      </p>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h2>Who gets it</h2>
      <Outcome job={job} />
      {job.status === "PLANNED" && <Decide frame={frame} path={path} view={view} />}
      {people && <People frame={frame} path={`${path}/plans/${job.id}`} job={job} people={people} />}
      <ApiCall curl={curl} />
    </>,
  );
}

const GETS = "Get it";

interface PeopleProps {
  frame: StudyFrame;
  path: string;
  job: Job;
  people: PlannedPeople;
}

/** Person by person, all or those whom a link chooses. */
function People({ frame, path, job, people: { chosen, rows, ...pages } }: PeopleProps): VNode {
  const counts = countsOf(job);
  const counted = (choice: (typeof CHOICES)[number]) => counts[countedAs(choice)] ?? 0;
  const words = (choice: string) => (choice === "SEND" ? GETS : (REASONS[choice as SkipReason] ?? inWords(choice)));
  const links = [
    { choice: "", name: "Everybody", count: (counts.send ?? 0) + (counts.skip ?? 0) },
    ...CHOICES.map((choice) => ({ choice, name: words(choice), count: counted(choice) })),
  ].filter(({ choice, count }) => count > 0 || choice === chosen);
  const here = chosen === "" ? path : `${path}?who=${chosen}`;
  return (
    <section class="apart" aria-labelledby="people">
      <h2 id="people">Person by person</h2>
      <ul class="tabs">
        {links.map(({ choice, name, count }) => (
          <li key={choice}>
            <a
              href={choice === "" ? `${path}#people` : `${path}?who=${choice}#people`}
              aria-current={choice === chosen ? "true" : undefined}
            >
              {name} ({shown(count)})
            </a>
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <Table columns={["Person", "Message"]}>
          {rows.map(({ person, reason }, index) => (
            <tr key={person?.id ?? index}>
              <td data-label="Person">
                {person ? (
                  <a href={`${frame.base}/console/people/${person.id}`}>
                    <bdi>{clean(person.name ?? person.externalUid)}</bdi>
                  </a>
                ) : (
                  "Somebody who was erased"
                )}
              </td>
              <td data-label="Message">{words(reason ?? "SEND")}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pages path={here} {...pages} />
    </section>
  );
}

function Outcome({ job: { status, summary, problem } }: { job: Job }): VNode {
  if (problem) return <p class="warning">{problem.detail}</p>;
  if (status !== "PLANNED" || !summary)
    return <p role="status">It is being planned. This page looks again by itself.</p>;
  const { send = 0, skip = 0 } = countsOf({ summary });
  return (
    <dl class="figures">
      <Figure name="People who get it" value={shown(send)} />
      <Figure name="People who are left out" value={shown(skip)} />
    </dl>
  );
}

function Decide({
  frame,
  path,
  view: { job, typed, fault },
}: {
  frame: StudyFrame;
  path: string;
  view: PlanView;
}): VNode {
  const { send = 0 } = countsOf(job);
  if (send === 0) return <p class="notice">Nobody would get it. Change who gets it.</p>;
  return (
    <form class="card" method="post" action={`${path}/plans/${job.id}`} novalidate>
      <Token value={frame.signedIn.token} />
      <p>
        Each person is checked again before the message leaves. People who have finished or unsubscribed by then get
        none.
      </p>
      {send >= CONFIRMED_FROM && (
        <ConfirmField
          label={`${counted(send, "person gets", "people get")} a message`}
          word={String(send)}
          typed={typed}
          fault={fault}
        />
      )}
      <button class="button" type="submit">
        Write to {counted(send, "person", "people")}
      </button>
    </form>
  );
}
