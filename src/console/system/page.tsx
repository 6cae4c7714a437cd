// The page about what a workspace takes, and what it runs on.

import type { VNode } from "preact";
import type { SystemState } from "../../api/system/state.ts";
import type { WorkspaceUsage } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, Figure, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import { ageInWords, Backup, bytesInWords, Findings, Versions } from "./system-parts.tsx";

const AT = "/console/system";

interface SystemView {
  usage: WorkspaceUsage;
  state: SystemState;
  now: number;
  /** What was typed to empty a sandbox, and what is wrong with it. */
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderSystem(base: string, signedIn: SignedIn, view: SystemView): string {
  const { usage, state, now, fault, curl } = view;
  const { rows, oldestUnfinishedJobAt: oldest, lastActivityAt } = usage;
  const wait = oldest === null ? "" : `, the oldest for ${ageInWords(now - Date.parse(oldest))}`;
  return renderPage(
    { base, title: fault ? "Error – System" : "System", signedIn, at: AT },
    <>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h1>System</h1>
      <Findings findings={state.findings} />
      <section aria-labelledby="storage">
        <h2 id="storage">This workspace</h2>
        <dl class="facts">
          <Figure name="Studies" value={shown(rows.screeners)} />
          <Figure name="People" value={shown(rows.participants)} />
          <Figure name="People in studies" value={shown(rows.screenerParticipants)} />
          <Figure name="Links" value={shown(rows.screenerSessions)} />
          <Figure name="Answers" value={shown(rows.screenerResponses)} />
          <Figure name="Entries of the activity" value={shown(rows.events)} />
          <Figure
            name="Its store"
            value={`${bytesInWords(usage.storeBytes)}, and ${bytesInWords(usage.walBytes)} just written`}
          />
          <Figure
            name="Imports that wait"
            value={`${bytesInWords(usage.spoolBytes)} of at most ${bytesInWords(usage.maxSpoolBytes)}`}
          />
          <Figure
            name="Results of jobs"
            value={`${bytesInWords(usage.resultsBytes)} of at most ${bytesInWords(usage.maxResultsBytes)}`}
          />
          <Figure name="Unfinished jobs" value={`${shown(usage.unfinishedJobs)}${wait}`} />
          <Figure name="Last change" value={lastActivityAt === null ? "–" : <Time at={lastActivityAt} />} />
        </dl>
      </section>
      <section aria-labelledby="running">
        <h2 id="running">What runs</h2>
        <dl class="facts">
          <Figure name="Last backup" value={<Backup backup={state.backup} now={now} />} />
          <Figure name="Processes that run jobs" value={shown(state.workers)} />
        </dl>
      </section>
      <Versions versions={state.versions} />
      {signedIn.isSandbox && <Reset base={base} signedIn={signedIn} view={view} />}
      <ApiCall curl={curl} />
    </>,
  );
}

function Reset({ base, signedIn, view }: { base: string; signedIn: SignedIn; view: SystemView }): VNode {
  return (
    <section class="card apart">
      <h2>Empty this sandbox</h2>
      <p>
        Studies, people, links, answers, messages, images, settings and jobs are deleted for good. Users, keys and
        webhooks stay, and so does the activity, without names and details. The rest can’t be brought back.
      </p>
      <form method="post" action={`${base}${AT}/reset`} novalidate>
        <Token value={signedIn.token} />
        <ConfirmField
          label="The name of the workspace"
          word={signedIn.workspaceName}
          typed={view.typed}
          fault={view.fault}
        />
        <button class="button button-grave" type="submit">
          Empty this sandbox
        </button>
      </form>
    </section>
  );
}
