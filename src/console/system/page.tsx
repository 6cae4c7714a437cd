// The page about what a workspace takes, and what it runs on.

import type { SystemState } from "../../api/system/state.ts";
import type { WorkspaceUsage } from "../../client/types.ts";
import { shown } from "../../nouns/question-types/values/counted.ts";
import { ApiCall, Figure, renderPage, type SignedIn, Time } from "../shell/layout.tsx";
import { ageInWords, Backup, bytesInWords, Findings, Versions } from "./system-parts.tsx";

interface SystemView {
  usage: WorkspaceUsage;
  state: SystemState;
  now: number;
  curl: string;
}

export function renderSystem(base: string, signedIn: SignedIn, { usage, state, now, curl }: SystemView): string {
  const { rows, oldestUnfinishedJobAt: oldest, lastActivityAt } = usage;
  const wait = oldest === null ? "" : `, the oldest for ${ageInWords(now - Date.parse(oldest))}`;
  return renderPage(
    { base, title: "System", signedIn, at: "/console/system" },
    <>
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
      <ApiCall curl={curl} />
    </>,
  );
}
