// The page with figures of all workspaces of the installation.

import type { VNode } from "preact";
import type { WorkspaceFigures } from "../../api/system/installation.ts";
import type { SystemState } from "../../api/system/state.ts";
import { clean } from "../../base/clean-text.ts";
import type { CellOverview } from "../../cells/overview.ts";
import { shown } from "../../languages/counted.ts";
import { Figure, Pages, renderPage, type SignedIn, Time } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { Cells } from "./cells-table.tsx";
import { ageInWords, Backup, bytesInWords, Findings, Versions } from "./system-parts.tsx";

const AT = "/console/installation";

interface InstallationView {
  state: SystemState;
  /** undefined: it is no cell. null: the others can't be found. */
  cells: CellOverview[] | null | undefined;
  workspaces: WorkspaceFigures[];
  total: number;
  limit: number;
  offset: number;
  now: number;
}

export function renderInstallation(base: string, signedIn: SignedIn, view: InstallationView): string {
  const { state, cells, workspaces, total, limit, offset, now } = view;
  const wait = state.oldestJobAt === null ? "" : `, the oldest for ${ageInWords(now - state.oldestJobAt)}`;
  return renderPage(
    { base, title: "Installation", signedIn, at: AT, isWide: true },
    <>
      <h1>Installation</h1>
      <Findings findings={state.findings} />
      <section aria-labelledby="running">
        <h2 id="running">What runs</h2>
        <dl class="facts">
          <Figure name="Last backup" value={<Backup backup={state.backup} now={now} />} />
          <Figure name="Processes that run jobs" value={shown(state.workers)} />
          <Figure name="Unfinished jobs" value={`${shown(state.unfinishedJobs)}${wait}`} />
        </dl>
      </section>
      {cells !== undefined && <Cells cells={cells} now={now} />}
      <section aria-labelledby="workspaces">
        <h2 id="workspaces">Workspaces: {shown(total)}</h2>
        <Table
          of="workspaces"
          columns={["Name", "State", "People", "Studies", "Unfinished jobs", "Size", "Last change"]}
        >
          {workspaces.map((workspace) => (
            <Row key={workspace.id} workspace={workspace} />
          ))}
        </Table>
        <Pages path={base + AT} total={total} limit={limit} offset={offset} />
      </section>
      <Versions versions={state.versions} />
    </>,
  );
}

function Row({ workspace: { id, name, state, unfinishedJobs, bytes, rows } }: { workspace: WorkspaceFigures }): VNode {
  return (
    <tr>
      <td data-label="Name">
        <div>
          <bdi>{clean(name)}</bdi>
          <p class="note">
            <small>{id}</small>
          </p>
        </div>
      </td>
      <td data-label="State">
        <span class={state === "active" ? "state" : "state state-failed"}>{state}</span>
      </td>
      <td data-label="People">{rows ? shown(rows.participants) : "can’t be read"}</td>
      <td data-label="Studies">{rows ? shown(rows.screeners) : "–"}</td>
      <td data-label="Unfinished jobs">{shown(unfinishedJobs)}</td>
      <td data-label="Size">{bytesInWords(bytes)}</td>
      <td data-label="Last change">{rows?.lastActivityAt ? <Time at={rows.lastActivityAt} /> : "–"}</td>
    </tr>
  );
}
