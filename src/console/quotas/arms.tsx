// The arms of a study, on the page of its quotas: how many people have each.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerArm } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { Table } from "../shell/table.tsx";

interface ArmsProps {
  arms: readonly ScreenerArm[];
  /** How many more there are. */
  more: number;
  /** Of the study's pages. */
  path: string;
}

export function Arms({ arms, more, path }: ArmsProps): VNode | null {
  if (!arms.length) return null;
  return (
    <section id="arms">
      <h2>Arms</h2>
      <p class="note">
        They count people over all versions of the study: those who are answering, and those who have completed it and
        were not turned away.
      </p>
      {Map.groupBy(arms, ({ assignmentId }) => assignmentId)
        .values()
        .map((some) => <ArmsOf key={some[0]!.assignmentId} arms={some} path={path} />)
        .toArray()}
      {more > 0 && <p>{shown(more)} more are in the file.</p>}
      <p class="quota-file">
        <a href={`${path}/arms.csv`} download>
          Download the arms (CSV)
        </a>
      </p>
    </section>
  );
}

/** The arms of one assignment. */
function ArmsOf({ arms, path }: Pick<ArmsProps, "arms" | "path">): VNode {
  return (
    <>
      <h3 dir="auto">{clean(arms[0]!.assignmentName)}</h3>
      <Table columns={["Arm", "Completed", "In progress", "Answers"]}>
        {arms.map(({ id, name, completed, inProgress, status }) => (
          <tr key={id}>
            <td data-label="Arm" dir="auto">
              {clean(name)}
              {status === "RETIRED" && <span class="state">Not in the newest version</span>}
            </td>
            <td data-label="Completed">{shown(completed)}</td>
            <td data-label="In progress">{shown(inProgress)}</td>
            <td data-label="Answers">
              <a href={`${path}/download?arm=${id}`}>
                Download<span class="unseen"> the answers of those with {clean(name)}</span>
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
