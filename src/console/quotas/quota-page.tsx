// The page of one quota: its limit, and the people who hold or took its places.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerQuota, ScreenerQuotaPlace } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import type { ContentNames } from "../../nouns/content/sentences.ts";
import type { Waiting } from "../../quota-jobs/waiting.ts";
import { includesRole } from "../../workspaces/rights.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, TextField } from "../shell/fields.tsx";
import { inWords } from "../shell/known-words.ts";
import { ApiCall, Pages, Time, Token } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { byTime, Table, withSort } from "../shell/table.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { Places } from "./page.tsx";
import { Offer, Recount } from "./waiting.tsx";
import { PLACE_STATES, REASONS } from "./words.tsx";

/** The field with the limit, named as the member of the API. */
export const LIMIT = "limit";

export type NamedPlace = ScreenerQuotaPlace & { externalUid: string };

interface QuotaView {
  quota: ScreenerQuota;
  questions: ContentNames;
  /** The state that places are asked for; empty: all. */
  state: string;
  /** With references instead of sessions' ids. */
  places: NamedPlace[];
  /** How many have taken a place, and were erased since. */
  erased: number;
  total: number;
  limit: number;
  offset: number;
  order: Order;
  /** The settings that the form has shown. */
  was: string;
  /** The limit as typed. */
  typed: string;
  faults: Faults;
  isSaved: boolean;
  /** Who waits for its places; null: a viewer does not learn that. */
  waiting: Waiting | null;
  /** How long an offer is to be held, as typed. */
  hours: string;
  /** For the forms that start jobs. */
  key: string;
  curl: string;
}

const LABELS = { [LIMIT]: "Places" };

/** In a form, an empty field is what null is in JSON. */
function plainly(faults: Faults): Faults {
  return Object.fromEntries(Object.entries(faults).map(([name, text]) => [name, text.replace(" or null", "")]));
}

export function renderQuota(frame: StudyFrame, view: QuotaView): string {
  const { quota, questions, faults, isSaved, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/quotas`;
  const forms = { path: `${path}/${quota.id}`, token: frame.signedIn.token, key: view.key };
  return renderStudyPage(
    frame,
    { at: "/quotas", heading: `Quota ${clean(quota.name)}`, hasFaults: Object.keys(faults).length > 0 },
    <>
      {isSaved && <Done>Saved.</Done>}
      <FaultSummary faults={plainly(faults)} labels={LABELS} />
      <p class="back">
        <a href={path}>All quotas</a>
      </p>
      <section class="card">
        <h2 dir="auto">{clean(quota.name)}</h2>
        <Places quota={quota} questions={questions} />
      </section>
      {quota.mode === "LIMIT" && includesRole(frame.signedIn.role, "researcher") && (
        <Settings frame={frame} view={view} />
      )}
      {view.waiting?.offers && <Offer offers={view.waiting.offers} hours={view.hours} forms={forms} />}
      {view.waiting && view.waiting.uncounted > 0 && <Recount count={view.waiting.uncounted} forms={forms} />}
      <PlaceList path={`${path}/${quota.id}`} frame={frame} view={view} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Settings({ frame, view }: { frame: StudyFrame; view: QuotaView }): VNode {
  const { quota, was, typed, faults } = view;
  const action = `${frame.base}/console/studies/${frame.id}/quotas/${quota.id}`;
  const hidden = (
    <>
      <Token value={frame.signedIn.token} />
      <input type="hidden" name="was" value={was} />
    </>
  );
  return (
    <section class="card">
      <h2>Limit</h2>
      <form method="post" action={action} novalidate>
        {hidden}
        <TextField
          name={LIMIT}
          label={LABELS[LIMIT]}
          hint="It counts at once, without another publication. A limit below what is taken takes nobody’s place."
          value={typed}
          fault={plainly(faults)[LIMIT]}
        />
        <button class="button" type="submit">
          Change the limit
        </button>
      </form>
      <form method="post" action={action} class="apart">
        {hidden}
        <input type="hidden" name="paused" value={quota.paused ? "no" : "yes"} />
        <p>
          {quota.paused
            ? "It is paused: it gives no places. People who have one keep it."
            : "While it is paused, it gives no places. People who have one keep it."}
        </p>
        <button class="button button-quiet" type="submit">
          {quota.paused ? "Go on" : "Pause"}
        </button>
      </form>
    </section>
  );
}

function PlaceList({ path, frame, view }: { path: string; frame: StudyFrame; view: QuotaView }): VNode {
  const { places, state, erased, total, limit, offset, order } = view;
  const filtered = state ? `?state=${state}` : "";
  return (
    <section aria-labelledby="places">
      <h2 id="places">People</h2>
      <nav aria-label="State of the places">
        <ul class="chips">
          {[["", "All"] as const, ...Object.entries(PLACE_STATES)].map(([value, name]) => (
            <li key={value}>
              <a
                href={withSort(value ? `${path}?state=${value}` : path, order.kept)}
                aria-current={value === state ? "true" : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="note">
        {counted(total, "place", "places")}
        {erased > 0 &&
          `. ${counted(erased, "more is", "more are")} taken by people who were erased since: only the number is left`}
      </p>
      {places.length > 0 && (
        <Table
          columns={["Person", "Place", byTime("Since"), "Answers"]}
          sorting={{ path: `${path}${filtered}`, at: order.sort }}
        >
          {places.map((place) => (
            <PlaceRow key={place.id} frame={frame} place={place} />
          ))}
        </Table>
      )}
      <Pages path={withSort(`${path}${filtered}`, order.kept)} {...{ total, limit, offset }} />
      {total > 0 && (
        <p class="quota-file">
          <a href={`${path}/places.csv${filtered}`} download>
            Download these places (CSV)
          </a>
        </p>
      )}
    </section>
  );
}

function PlaceRow({ frame, place }: { frame: StudyFrame; place: NamedPlace }): VNode {
  const { participantId, externalUid, screenerSessionId, state, reason, isOverLimit, createdAt, expiresAt } = place;
  return (
    <tr>
      <td data-label="Person">
        <a href={`${frame.base}/console/people/${participantId}`}>
          <bdi>{clean(externalUid)}</bdi>
        </a>
      </td>
      <td data-label="Place">
        <div>
          {PLACE_STATES[state]}
          {isOverLimit && ", over the limit"}
          {reason !== null && <p class="note">{inWords(REASONS, reason)}</p>}
          {state === "HELD" && expiresAt !== null && (
            <p class="note">
              Until <Time at={expiresAt} />
            </p>
          )}
        </div>
      </td>
      <td data-label="Since">
        <Time at={createdAt} />
      </td>
      <td data-label="Answers">
        <a href={`${frame.base}/console/studies/${frame.id}/answers/${screenerSessionId}`}>
          Answers<span class="unseen"> of {clean(externalUid)}</span>
        </a>
      </td>
    </tr>
  );
}
