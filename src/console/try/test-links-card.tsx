// The test links of a study, with what became of each.

import type { VNode } from "preact";
import type { ScreenerSession } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { Copyable, Token } from "../shell/layout.tsx";
import { Done, type StudyFrame } from "../study/study-frame.tsx";

export interface TestLinks {
  total: number;
  /** The newest ones. */
  sessions: ScreenerSession[];
  /** Whether all were deleted just now. */
  isDeleted: boolean;
}

/** The id of the card in the page. */
export const TEST_LINKS = "test-links";

const STATES: Record<ScreenerSession["state"], string> = {
  NOT_STARTED: "Not started",
  IN_PROGRESS: "In progress",
  COMPLETED: "Completed",
};

export function TestLinksCard({ frame, tests }: { frame: StudyFrame; tests: TestLinks }): VNode {
  const path = `${frame.base}/console/studies/${frame.id}/test-links`;
  const { total, sessions, isDeleted } = tests;
  const token = <Token value={frame.signedIn.token} />;
  return (
    <section class="card" id={TEST_LINKS} aria-labelledby={`${TEST_LINKS}-heading`}>
      <h2 id={`${TEST_LINKS}-heading`}>Test links</h2>
      {isDeleted && <Done>Deleted</Done>}
      <p>
        A test link opens the live version as people get it, on any device. Its answers are kept until you delete them,
        and count nowhere: not in results, targets, lists and exports. It works before the study opens, too, and after
        it has closed.
      </p>
      {frame.state === "draft" ? (
        <p>Publish the study first.</p>
      ) : (
        <form method="post" action={path}>
          {token}
          <button class="button" type="submit">
            Create a test link
          </button>
        </form>
      )}
      {sessions.length > 0 && (
        <ul class="plain">
          {sessions.map(({ id, screenerSessionLink, state }) => (
            <li key={id}>
              <a href={screenerSessionLink} target="_blank" rel="noopener noreferrer">
                Open the test link
              </a>{" "}
              <span class="state">{STATES[state]}</span> <Copyable text={screenerSessionLink} what="the link" />
            </li>
          ))}
        </ul>
      )}
      {total > sessions.length && (
        <p>
          These are the newest {sessions.length} of {shown(total)}.
        </p>
      )}
      {total > 0 && (
        <form method="post" action={`${path}/deletion`}>
          {token}
          <button class="button button-quiet" type="submit">
            Delete all test links and their answers ({shown(total)})
          </button>
        </form>
      )}
    </section>
  );
}
