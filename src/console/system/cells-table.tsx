// The table of all cells, on the page of the installation.

import type { VNode } from "preact";
import { adviceOn } from "../../api/system/advice.ts";
import type { CellOverview } from "../../cells/overview.ts";
import { shown } from "../../languages/counted.ts";
import { Time } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { ageInWords, bytesInWords } from "./system-parts.tsx";

/** @param cells null: Redis does not answer */
export function Cells({ cells, now }: { cells: readonly CellOverview[] | null; now: number }): VNode {
  return (
    <section aria-labelledby="cells">
      <h2 id="cells">Cells{cells && `: ${shown(cells.length)}`}</h2>
      {cells ? (
        <Table
          of="workspaces"
          columns={["Cell", "State", "Release", "Workspaces", "Stores", "Unfinished jobs", "Last backup"]}
        >
          {cells.map((cell) => (
            <Row key={cell.state.cell} cell={cell} now={now} />
          ))}
        </Table>
      ) : (
        <p>The other cells can’t be found, because Redis does not answer.</p>
      )}
    </section>
  );
}

function Row({ cell: { state, answer }, now }: { cell: CellOverview; now: number }): VNode {
  const { cell, at, workspaces, bytes, freeBytes, unfinishedJobs, oldestJobAt, backupAt } = state;
  const wait = oldestJobAt ? `, the oldest for ${ageInWords(now - oldestJobAt)}` : "";
  return (
    <tr>
      <td data-label="Cell">{cell}</td>
      <td data-label="State">
        <div>
          <State answer={answer} />
          {answer ? (
            answer.details.map(({ code, message, workspace }) => (
              <p class="note" key={`${code} ${workspace} ${message}`}>
                <small>
                  {adviceOn(code).heading}
                  {workspace !== undefined && `: workspace ${workspace}`}
                </small>
              </p>
            ))
          ) : (
            <p class="note">
              <small>
                last heard of <Time at={at} />
              </small>
            </p>
          )}
        </div>
      </td>
      <td data-label="Release">{answer?.version ?? "–"}</td>
      <td data-label="Workspaces">{shown(workspaces.length)}</td>
      <td data-label="Stores">
        {bytesInWords(bytes)}, {bytesInWords(freeBytes)} free
      </td>
      <td data-label="Unfinished jobs">{`${shown(unfinishedJobs)}${wait}`}</td>
      <td data-label="Last backup">{backupAt ? `${ageInWords(now - backupAt)} ago` : "none known"}</td>
    </tr>
  );
}

function State({ answer }: Pick<CellOverview, "answer">): VNode {
  if (!answer) return <span class="state state-failed">away</span>;
  if (answer.status !== "ok") return <span class="state state-failed">nobody is served</span>;
  return <span class="state">serves</span>;
}
