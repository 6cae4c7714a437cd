// How many people fit a study, in all and in each quota; why some of them are not to be written to; and whether those who remain are enough.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerFeasibility } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { ApiCall, Figure } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

type Cell = ScreenerFeasibility["quotas"][number];
type NoContact = ScreenerFeasibility["noContact"];

/** Why people do not remain, in the order of the reasons. */
const REASONS: Record<keyof NoContact, string> = {
  noEmail: "have no email",
  doNotContact: "are marked “Do not contact”",
  unsubscribed: "have unsubscribed",
  bounced: "have an address that takes no mail",
  contactedRecently: "were contacted too often lately",
};

const people = (count: number) => counted(count, "person", "people");

export function renderFeasibility(frame: StudyFrame, feasibility: ScreenerFeasibility, curl: string): string {
  const { quotas, fit, finished, noContact, remaining } = feasibility;
  return renderStudyPage(
    frame,
    { at: "/quotas", heading: "Who fits" },
    <>
      <section class="card">
        <h2>Who fits this study</h2>
        <p>{sourceOf(feasibility)}</p>
        <dl class="figures">
          <Figure name="Fit" value={shown(fit)} />
          <Figure name="Have finished" value={shown(finished)} />
          <Figure name="Contacted too often" value={shown(noContact.contactedRecently)} />
          <Figure name="Remain" value={shown(remaining)} />
        </dl>
        <Away finished={finished} noContact={noContact} />
      </section>
      {quotas.length > 0 && (
        <Table
          columns={["Quota", "Fit", "By their answers", "Contacted too often", "Remain", "Places left", "Enough?"]}
        >
          {quotas.map((cell) => (
            <tr key={cell.name}>
              <td data-label="Quota">
                <bdi>{clean(cell.name)}</bdi>
              </td>
              <td data-label="Fit">{shown(cell.fit)}</td>
              <td data-label="By their answers">{answersOf(cell)}</td>
              <td data-label="Contacted too often">{shown(cell.noContact.contactedRecently)}</td>
              <td data-label="Remain">{shown(cell.remaining)}</td>
              <td data-label="Places left">{cell.placesLeft === null ? "No limit" : shown(cell.placesLeft)}</td>
              <td data-label="Enough?">{enoughOf(cell)}</td>
            </tr>
          ))}
        </Table>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

/** Who was looked at, and how. */
function sourceOf({ people: all, counted }: ScreenerFeasibility): string {
  const whose = counted < all ? `the first ${shown(counted)} of ${people(all)}` : people(all);
  return `Of ${whose} in the workspace, by their attributes and the rules and quotas of the draft. Their answers are not known yet: a person fits unless a rule screens them out by attributes alone. This page changes nothing.`;
}

/** Why those who fit do not all remain. */
function Away({ finished, noContact }: Pick<ScreenerFeasibility, "finished" | "noContact">): VNode | null {
  const reasons = Object.entries(REASONS).map(([name, words]) => [noContact[name as keyof NoContact], words] as const);
  const all = [[finished, "have finished this study"] as const, ...reasons].filter(([count]) => count > 0);
  if (!all.length) return null;
  return (
    <>
      <p>Of those who fit:</p>
      <ul>
        {all.map(([count, words]) => (
          <li key={words}>
            {people(count)}{" "}
            {count === 1 ? words.replace(/^have/, "has").replace(/^are/, "is").replace(/^were/, "was") : words}
          </li>
        ))}
      </ul>
    </>
  );
}

function answersOf({ fit, dependsOnAnswers }: Cell): string {
  if (!dependsOnAnswers) return "None";
  return dependsOnAnswers === fit ? "All" : shown(dependsOnAnswers);
}

function enoughOf({ placesLeft, remaining, dependsOnAnswers }: Cell): string {
  if (placesLeft === null || placesLeft === 0) return "–";
  if (remaining < placesLeft) return `No: ${people(placesLeft - remaining)} too few`;
  return dependsOnAnswers ? "Perhaps: answers decide" : "If enough of them come";
}
