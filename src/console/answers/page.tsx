// The page with the people who have answered a study.

import { clean } from "../../base/clean-text.ts";
import type { ScreenerParticipant } from "../../client/types.ts";
import { STATUSES, statusInWords } from "../people/page.tsx";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Pages } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { type Version, VersionSelect } from "../study/version-select.tsx";

interface SessionsView {
  /** What is asked for; empty: all. */
  chosen: { status: string; publicationId: string };
  /** The newest first. */
  versions: readonly Version[];
  activeId: string | null;
  people: Person[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

/** With the reference of the session instead of its id, and the version that it is about. */
interface Person extends ScreenerParticipant {
  version: number | null;
}

export function renderSessions(frame: StudyFrame, view: SessionsView): string {
  const { chosen, versions, activeId, people, total, limit, offset, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/answers`;
  const pathOf = (of: SessionsView["chosen"]) => {
    const query = new URLSearchParams(Object.entries(of).filter(([, value]) => value));
    return query.size ? `${path}?${query}` : path;
  };
  const version = versions.find(({ id }) => id === chosen.publicationId)?.version;
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "Answers" },
    <>
      <nav aria-label="Status">
        <ul class="chips">
          {[["", "Everybody"] as const, ...STATUSES].map(([status, name]) => (
            <li key={status}>
              <a href={pathOf({ ...chosen, status })} aria-current={status === chosen.status ? "true" : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {versions.length > 1 && (
        <form class="choose" method="get" action={path}>
          {chosen.status && <input type="hidden" name="status" value={clean(chosen.status)} />}
          <VersionSelect versions={versions} activeId={activeId} chosen={chosen.publicationId || null} />
          <button class="button" type="submit">
            Show
          </button>
        </form>
      )}
      <p class="note">
        {total === 1 ? "1 person" : `${shown(total)} people`}
        {versions.length > 1 && (version === undefined ? ", of all versions" : `, of version ${version}`)}
      </p>
      {people.length > 0 && (
        <Table columns={["Id", "Name", "Status", "Version", "Answers"]}>
          {people.map(
            ({ id, participantId, externalParticipantUid, name, email, status, version, currentSessionId }) => (
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
                <td data-label="Version">{version ?? "–"}</td>
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
            ),
          )}
        </Table>
      )}
      <Pages path={pathOf(chosen)} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}
