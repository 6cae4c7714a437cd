// The page with people: a search, and its results.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Participant, Screener, ScreenerParticipant } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { titleOf } from "../imports/import-page.tsx";
import { type Fault, FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { ApiCall, Pages, renderPage, type SignedIn } from "../shell/layout.tsx";
import { type Sorting, Table, withSort } from "../shell/table.tsx";

export const STATUSES = [
  ["NOT_STARTED", "Not started"],
  ["IN_PROGRESS", "In progress"],
  ["QUALIFIED", "Qualified"],
  ["DISQUALIFIED", "Screened out"],
  ["UNKNOWN", "Completed"],
] as const;

/** The total of a search is exact up to here. */
const MAX_COUNTED = 1000;

export function statusInWords(status: string): string {
  return STATUSES.find(([word]) => word === status)?.[1] ?? status;
}

type Found = Participant | ScreenerParticipant;

export type StudyChoice = Pick<Screener, "id" | "title">;

interface PeopleView {
  asked: { q: string; sort: string; key: string; value: string; study: string; status: string };
  faults: Fault[];
  studies: StudyChoice[];
  people: Found[];
  total: number;
  limit: number;
  offset: number;
  curl: string;
}

export function renderPeople(base: string, signedIn: SignedIn, view: PeopleView): string {
  const { asked, faults, people, curl, total, limit, offset } = view;
  const { sort, ...filters } = asked;
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  const path = `${base}/console/people${query && `?${query}`}`;
  const sorting = asked.q || asked.study ? undefined : { path, at: sort };
  return renderPage(
    { base, title: faults.length ? "Error – People" : "People", signedIn, at: "/console/people" },
    <>
      <FaultSummary faults={faults} />
      <h1>People</h1>
      <search>
        <Search base={base} view={view} />
      </search>
      {faults.length === 0 && (
        <p class="found" role="status">
          {foundInWords(view)}
        </p>
      )}
      {people.length > 0 && (
        <Chosen base={base} study={asked.study} mayChoose={includesRole(signedIn.role, "researcher")}>
          <People
            base={base}
            people={people}
            hasStatus={asked.study !== ""}
            sorting={sorting}
            mayChoose={includesRole(signedIn.role, "researcher")}
          />
        </Chosen>
      )}
      <Pages path={withSort(path, sort)} total={total} limit={limit} offset={offset} />
      {asked.study && total > 0 && includesRole(signedIn.role, "researcher") && (
        <p>
          <a href={`${base}/console/people.csv?${query}`} download>
            Download {asked.status ? "them" : "all"} with their emails (CSV)
          </a>
        </p>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

function foundInWords({ asked: { q }, total }: PeopleView): string {
  if (total === 0) return "Nobody was found.";
  if (q && total > MAX_COUNTED) return `More than ${shown(MAX_COUNTED)} people: type more to find fewer.`;
  return counted(total, "person", "people");
}

function Search({ base, view: { asked, faults, studies } }: { base: string; view: PeopleView }): VNode {
  const faultOf = (id: string) => faults.find(({ field }) => field === id)?.message;
  return (
    <form class="search" method="get" action={`${base}/console/people`}>
      <div class="field">
        <label for="q">Id, email or name</label>
        <p class="note" id="q-hint">
          Words, or how they begin: fisch anna, ada@, P-10
        </p>
        <input
          class="entry"
          id="q"
          name="q"
          type="search"
          value={clean(asked.q)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby="q-hint"
          aria-invalid={faultOf("q") ? "true" : undefined}
        />
      </div>
      <details class="more" open={Boolean(asked.study || asked.status || asked.key || asked.value)}>
        <summary>More to search by</summary>
        <div class="filters">
          <LabelledField id="study" label="Study" fault={faultOf("study")}>
            {(described) => (
              <select class="entry" id="study" name="study" aria-describedby={described}>
                <option value="">Any, or none</option>
                {studies.map(({ id, title }) => (
                  <option key={id} value={id} selected={id === asked.study}>
                    {titleOf(title)}
                  </option>
                ))}
              </select>
            )}
          </LabelledField>
          <div class="field">
            <label for="status">Status in the study</label>
            <select class="entry" id="status" name="status">
              <option value="">Any</option>
              {STATUSES.map(([value, label]) => (
                <option key={value} value={value} selected={value === asked.status}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <LabelledField id="key" label="Attribute" fault={faultOf("key")}>
            {(described) => (
              <input
                class="entry"
                id="key"
                name="key"
                type="text"
                value={clean(asked.key)}
                autocomplete="off"
                aria-describedby={described}
              />
            )}
          </LabelledField>
          <div class="field">
            <label for="value">is</label>
            <input class="entry" id="value" name="value" type="text" value={clean(asked.value)} autocomplete="off" />
          </div>
        </div>
      </details>
      {asked.sort && <input type="hidden" name="sort" value={asked.sort} />}
      <button class="button" type="submit">
        Search
      </button>
    </form>
  );
}

/** The people, to be removed or erased. The form only leads to the page that asks. */
function Chosen(of: { base: string; study: string; mayChoose: boolean; children: VNode }): VNode {
  const { base, study, mayChoose, children } = of;
  if (!mayChoose) return children;
  return (
    <form method="get" action={`${base}/console/people/many`}>
      {study && <input type="hidden" name="study" value={study} />}
      {children}
      <p class="apart">
        <button class="button button-quiet" type="submit">
          Remove or erase the chosen people …
        </button>
      </p>
      <p class="note">
        Or <a href={`${base}/console/people/many`}>name them in a list, or in a file</a>.
      </p>
    </form>
  );
}

interface PeopleProps {
  mayChoose: boolean;
  base: string;
  people: Found[];
  hasStatus: boolean;
  /** undefined: they come in the order of the list alone. */
  sorting: Sorting | undefined;
}

const idOf = (one: Found) => ("participantId" in one ? one.participantId : one.id);
const nameOf = (one: Found) => ("externalUid" in one ? one.externalUid : one.externalParticipantUid);

const COLUMNS = [
  { name: "Id", by: "externalUid" },
  { name: "Name", by: "name" },
  { name: "Email", by: "email" },
];

function People({ base, people, hasStatus, sorting, mayChoose }: PeopleProps): VNode {
  const columns = [...(mayChoose ? ["Choose"] : []), ...(sorting ? COLUMNS : COLUMNS.map(({ name }) => name))];
  return (
    <Table columns={[...columns, ...(hasStatus ? ["Status"] : [])]} {...(sorting && { sorting })}>
      {people.map((one) => (
        <tr key={one.id}>
          {mayChoose && (
            <td data-label="Choose">
              <input type="checkbox" name="id" value={idOf(one)} aria-label={`Choose ${clean(nameOf(one))}`} />
            </td>
          )}
          <td data-label="Id">
            <a href={`${base}/console/people/${idOf(one)}`}>
              <bdi>{clean(nameOf(one))}</bdi>
            </a>
          </td>
          <td data-label="Name">
            <bdi>{clean(one.name ?? "–")}</bdi>
          </td>
          <td data-label="Email">
            <bdi>{clean(one.email ?? "–")}</bdi>
          </td>
          {hasStatus && <td data-label="Status">{"status" in one && statusInWords(one.status)}</td>}
        </tr>
      ))}
    </Table>
  );
}
