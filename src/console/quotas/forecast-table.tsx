// The forecast of quotas as a table, and the buttons that ask for it, for pages that show what quotas would let through.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerQuotaForecast } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { Table } from "../shell/table.tsx";

type Cell = ScreenerQuotaForecast["quotas"][number];

export function ForecastTable({ forecast }: { forecast: ScreenerQuotaForecast }): VNode {
  const { quotas } = forecast;
  return (
    <>
      <p role="status">{sourceOf(forecast)}</p>
      {quotas.length === 0 ? (
        <p>There are no quotas.</p>
      ) : (
        <Table
          columns={["Quota", "Limit", "Get a place", "Turned away", "Not known", "Can it fill?", "Invitations needed"]}
        >
          {quotas.map((cell) => (
            <tr key={cell.name}>
              <td data-label="Quota">
                <bdi>{clean(cell.name)}</bdi>
              </td>
              <td data-label="Limit">{cell.limit === null ? "None" : shown(cell.limit)}</td>
              <td data-label="Get a place">{shown(cell.taken)}</td>
              <td data-label="Turned away">
                <TurnedAway cell={cell} />
              </td>
              <td data-label="Not known">{shown(cell.unknown)}</td>
              <td data-label="Can it fill?">{fillOf(cell)}</td>
              <td data-label="Invitations needed">{neededOf(cell)}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** The buttons of a form that asks for a forecast. @param name of the parameter that says by what */
export function ForecastButtons({ name }: { name: string }): VNode {
  return (
    <div class="acts">
      <button class="button button-quiet" type="submit" name={name} value="ANSWERS">
        By the answers so far
      </button>
      <button class="button button-quiet" type="submit" name={name} value="ROSTER">
        By people’s attributes
      </button>
    </div>
  );
}

/** Who was replayed. */
function sourceOf({ basis, roster, total, replayed, screenedOut }: ScreenerQuotaForecast): string {
  const part = replayed < total ? `the first ${shown(replayed)} of ` : "";
  const out = screenedOut ? ` The rules screen out ${shown(screenedOut)} of them.` : "";
  if (basis === "ANSWERS")
    return `By ${part}${counted(total, "person’s answers", "people’s answers")}, in the order in which they came.${out}`;
  const whose = roster === "ASSIGNED" ? "assigned to this study" : "in the workspace, because nobody is assigned yet";
  return `By the attributes of ${part}${counted(total, "person", "people")} ${whose}, as if all came and qualified.${out}`;
}

function TurnedAway({ cell: { name, turnedAway, turnedAwayBy } }: { cell: Cell }): VNode {
  // Where nobody else turns them away, the number says it all.
  const others = turnedAwayBy.some((by) => by.name !== name);
  return (
    <>
      {shown(turnedAway)}
      {others && (
        <ul class="plain">
          {turnedAwayBy.map((by) => (
            <li key={by.name}>
              {shown(by.count)} by <bdi>{by.name === name ? "this quota" : `“${clean(by.name)}”`}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function fillOf({ canFill, cannotFillBecause, people }: Cell): string {
  if (canFill === null) return "It has no limit";
  if (canFill) return "Yes";
  if (cannotFillBecause === "CONTRADICTION") return "No: nobody who qualifies can be in it";
  return `No: only ${counted(people, "person", "people")} could be in it`;
}

function neededOf({ limit, invitationsNeeded: needed, canFill, cannotFillBecause }: Cell): string {
  if (limit === null || cannotFillBecause === "CONTRADICTION") return "–";
  if (!needed) return canFill ? "Not known: nobody has got a place yet" : "Not known";
  const { estimate, low, high } = needed;
  return estimate === 0 ? "None" : `About ${shown(estimate)} (${shown(low)} to ${shown(high)})`;
}
