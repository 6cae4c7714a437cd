// The pages with what people have asked for at their links.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Participant, ParticipantRequest, Screener } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { titleOf } from "../imports/import-page.tsx";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, TextField } from "../shell/fields.tsx";
import { inWords } from "../shell/known-words.ts";
import { ApiCall, Figure, Pages, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { byTime, Table, withSort } from "../shell/table.tsx";

/** A request, with whom and what it is about. */
export interface Asked extends ParticipantRequest {
  person: Participant;
  /** Null: it was deleted. */
  study: Pick<Screener, "id" | "title"> | null;
}

interface RequestsView {
  state: "OPEN" | "DONE";
  asked: Asked[];
  total: number;
  limit: number;
  offset: number;
  order: Order;
  curl: string;
}

const PATH = "/console/requests";

const KINDS = { DATA: "Their data", ERASURE: "To be erased" } as const;

const STATES = [
  ["OPEN", "Open"],
  ["DONE", "Done"],
] as const;

export function renderRequests(base: string, signedIn: SignedIn, view: RequestsView): string {
  const { state, asked, total, limit, offset, order, curl } = view;
  const pathOf = (of: RequestsView["state"]) => `${base}${PATH}${of === "OPEN" ? "" : `?state=${of}`}`;
  return renderPage(
    { base, title: "Requests", signedIn, at: PATH },
    <>
      <h1>Requests</h1>
      <p class="note">What people have asked for at their links. They see when you have marked it as done.</p>
      <nav aria-label="State">
        <ul class="chips">
          {STATES.map(([one, name]) => (
            <li key={one}>
              <a href={withSort(pathOf(one), order.kept)} aria-current={one === state ? "true" : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="note" role="status">
        {total === 0
          ? state === "OPEN"
            ? "Nothing is open."
            : "Nothing yet."
          : total === 1
            ? "1 request"
            : `${shown(total)} requests`}
      </p>
      {asked.length > 0 && (
        <Table
          columns={["Person", "Asks for", byTime("Asked"), ...(state === "DONE" ? ["Done"] : [])]}
          sorting={{ path: pathOf(state), at: order.sort }}
        >
          {asked.map(({ id, person, kind, createdAt, closedAt }) => (
            <tr key={id}>
              <td data-label="Person">
                <a href={`${base}${PATH}/${id}`}>
                  <bdi>{clean(person.name ?? person.externalUid)}</bdi>
                  <span class="unseen">: {inWords(KINDS, kind).toLowerCase()}</span>
                </a>
              </td>
              <td data-label="Asks for">{inWords(KINDS, kind)}</td>
              <td data-label="Asked">
                <Time at={createdAt} />
              </td>
              {state === "DONE" && <td data-label="Done">{closedAt !== null && <Time at={closedAt} />}</td>}
            </tr>
          ))}
        </Table>
      )}
      <Pages path={withSort(pathOf(state), order.kept)} {...{ total, limit, offset }} />
      <ApiCall curl={curl} />
    </>,
  );
}

interface RequestView {
  asked: Asked;
  note: string;
  faults: Faults;
  curl: string;
}

const LABELS = { note: "Reason" };

export function renderRequest(base: string, signedIn: SignedIn, view: RequestView): string {
  const { asked, faults, curl } = view;
  const { person, study, kind, state, createdAt, closedBy, closedAt } = asked;
  const name = <bdi>{clean(person.name ?? person.externalUid)}</bdi>;
  const hasFaults = Object.keys(faults).length > 0;
  return renderPage(
    { base, title: `${hasFaults ? "Error – " : ""}A request`, signedIn, at: PATH },
    <>
      <p class="back">
        <a href={base + PATH}>Requests</a>
      </p>
      {hasFaults && <FaultSummary faults={faults} labels={LABELS} />}
      <h1>
        {name} {kind === "DATA" ? "asks for their data" : "asks to be erased"}
      </h1>
      <dl class="facts">
        <Figure name="Person" value={<a href={`${base}/console/people/${person.id}`}>{name}</a>} />
        <Figure name="Email" value={<bdi>{clean(person.email ?? "–")}</bdi>} />
        <Figure name="Asked" value={<Time at={createdAt} />} />
        {study && (
          <Figure
            name="At the link to"
            value={
              <a href={`${base}/console/studies/${study.id}`} dir="auto">
                {titleOf(study.title)}
              </a>
            }
          />
        )}
        {closedAt !== null && <Figure name="Done" value={<Time at={closedAt} />} />}
        {closedBy && <Figure name="Marked as done by" value={<bdi>{clean(closedBy.name)}</bdi>} />}
      </dl>
      {state === "OPEN" && (kind === "DATA" ? <DataTask /> : <ErasureTask />)}
      <ApiCall curl={curl} />
    </>,
  );

  function DataTask(): VNode {
    return (
      <section class="card">
        <h2>What to do</h2>
        <ol>
          <li>
            <a href={`${base}/console/people/${person.id}/export.json`} download>
              Download everything about this person (JSON)
            </a>
          </li>
          <li>Send it to the person, in a way that nobody else can read.</li>
          <li>Mark the request as done. The person sees so at the link.</li>
        </ol>
        <CloseForm label="Mark as done" />
      </section>
    );
  }

  function ErasureTask(): VNode {
    if (!includesRole(signedIn.role, "admin")) return <p>An admin can erase people.</p>;
    return (
      <>
        <section class="card">
          <h2>What to do</h2>
          <p>
            <a class="button button-grave" href={`${base}/console/people/${person.id}/erase`}>
              Erase this person …
            </a>
          </p>
          <p class="note">The request goes with the person.</p>
        </section>
        <section class="card apart">
          <h2>Close it without erasing</h2>
          <p>For example, where a law says that you have to keep the data, and you have said so to the person.</p>
          <CloseForm label="Close without erasing" hasReason />
        </section>
      </>
    );
  }

  function CloseForm({ label, hasReason }: { label: string; hasReason?: true }): VNode {
    return (
      <form method="post" action={`${base}${PATH}/${asked.id}`} novalidate>
        <Token value={signedIn.token} />
        {hasReason && (
          <TextField
            name="note"
            label={LABELS.note}
            value={view.note}
            fault={faults.note}
            hint="It is kept in the activity, with your name."
          />
        )}
        <button class={hasReason ? "button button-quiet" : "button"} type="submit">
          {label}
        </button>
      </form>
    );
  }
}
