// The page with the people who have withdrawn, and the one that asks before what one of them has answered is erased.

import { clean } from "../../base/clean-text.ts";
import type { ScreenerParticipant, ScreenerSession } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, Pages, Time, Token } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

/** What is typed in: what people are called is not for this page, because they have withdrawn. */
export const ERASE_WORD = "erase";

interface AnswersErasureView {
  session: ScreenerSession;
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderAnswersErasure(frame: StudyFrame, view: AnswersErasureView): string {
  const { session, typed, fault, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/answers/${session.reference}`;
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "Erase answers", hasFaults: fault !== undefined },
    <>
      <p class="back">
        <a href={path}>Answers of one person</a>
      </p>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h2>Erase these answers?</h2>
      {session.withdrawnAt === null ? (
        <p>The person has not withdrawn. Only answers of people who have withdrawn can be erased alone.</p>
      ) : (
        <>
          <p>
            The person withdrew <Time at={session.withdrawnAt} />. The answers are deleted for good, with how long pages
            were open and which quotas they counted in. They can’t be brought back. What the person had agreed to stays,
            as hash and time.
          </p>
          <form method="post" action={`${path}/erase`}>
            <Token value={frame.signedIn.token} />
            <ConfirmField label="To be sure" word={ERASE_WORD} typed={typed} fault={fault} />
            <button class="button button-grave" type="submit">
              Erase these answers
            </button>
          </form>
        </>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

/** Somebody who has withdrawn. */
export interface Withdrawn {
  session: ScreenerSession;
  /** Undefined: was removed from the study since. */
  person: ScreenerParticipant | undefined;
}

interface WithdrawnView {
  people: Withdrawn[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderWithdrawn(frame: StudyFrame, { people, total, limit, offset, curl }: WithdrawnView): string {
  const path = `${frame.base}/console/studies/${frame.id}/answers`;
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "People who have withdrawn" },
    <>
      <p class="back">
        <a href={path}>Answers</a>
      </p>
      <h2>People who have withdrawn</h2>
      <p class="note">{counted(total, "person", "people")}, whose answers count nowhere</p>
      {people.length > 0 && (
        <Table columns={["Id", "Withdrawn", "Answers"]}>
          {people.map(({ session: { id, reference, withdrawnAt, answersErasedAt }, person }) => (
            <tr key={id}>
              <td data-label="Id">
                {person ? (
                  <a href={`${frame.base}/console/people/${person.participantId}`}>
                    <bdi>{clean(person.externalParticipantUid)}</bdi>
                  </a>
                ) : (
                  "No longer in the study"
                )}
              </td>
              <td data-label="Withdrawn">{withdrawnAt !== null && <Time at={withdrawnAt} />}</td>
              <td data-label="Answers">
                <a href={`${path}/${reference}`}>
                  {answersErasedAt === null ? "Answers" : "Erased"}
                  <span class="unseen"> of {clean(person?.externalParticipantUid ?? "somebody")}</span>
                </a>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Pages path={`${frame.base}/console/studies/${frame.id}/withdrawn`} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}
