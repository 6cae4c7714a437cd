// The page with the people who have answered a study.

import { clean } from "../../base/clean-text.ts";
import type { ScreenerParticipant } from "../../client/types.ts";
import { STATUSES, statusInWords } from "../people/page.tsx";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Pages } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

interface SessionsView {
  /** The status that is asked for; empty: all. */
  status: string;
  /** With the reference of the session instead of its id. */
  assignments: ScreenerParticipant[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderSessions(frame: StudyFrame, view: SessionsView): string {
  const { status, assignments, total, limit, offset, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/answers`;
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "Answers" },
    <>
      <nav aria-label="Status">
        <ul class="chips">
          {[["", "Everybody"] as const, ...STATUSES].map(([value, name]) => (
            <li key={value}>
              <a href={value ? `${path}?status=${value}` : path} aria-current={value === status ? "true" : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="note">{total === 1 ? "1 person" : `${shown(total)} people`}</p>
      {assignments.length > 0 && (
        <table class="cards-when-narrow">
          <thead>
            <tr>
              <th scope="col">Id</th>
              <th scope="col">Name</th>
              <th scope="col">Status</th>
              <th scope="col">Answers</th>
            </tr>
          </thead>
          <tbody>
            {assignments.map(({ id, participantId, externalParticipantUid, name, email, status, currentSessionId }) => (
              <tr key={id}>
                <td data-label="Id">
                  <a href={`${frame.base}/console/people/${participantId}`}>
                    <bdi>{clean(externalParticipantUid)}</bdi>
                  </a>
                </td>
                <td data-label="Name">
                  <bdi>{clean(name ?? email ?? "–")}</bdi>
                </td>
                <td data-label="Status">{statusInWords(status)}</td>
                <td data-label="Answers">
                  {currentSessionId === null || status === "NOT_STARTED" ? (
                    "–"
                  ) : (
                    <a href={`${path}/${currentSessionId}`}>
                      Answers<span class="unseen"> of {clean(externalParticipantUid)}</span>
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pages path={status ? `${path}?status=${encodeURIComponent(status)}` : path} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}
