// The pages with webhook endpoints: all of them, and one with its deliveries.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../client/types.ts";
import { EVENTS } from "../../events/types.ts";
import { counted } from "../../languages/counted.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { inWords } from "../shell/known-words.ts";
import { ApiCall, Copyable, Pages, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { byTime, Table, withSort } from "../shell/table.tsx";
import { DeliveryState } from "./delivery-page.tsx";

/** An endpoint, as typed. */
export interface TypedEndpoint {
  url: string;
  types: string[];
}

const LABELS = { url: "URL", types: "Events" };

const AT = "/console/webhooks";

export function renderWebhooks(
  base: string,
  signedIn: SignedIn,
  view: { endpoints: WebhookEndpoint[]; typed: TypedEndpoint; faults: Faults; key: string; curl: string },
): string {
  const { endpoints, typed, faults, key, curl } = view;
  const title = Object.keys(faults).length ? "Error – Webhooks" : "Webhooks";
  const field = fieldsOf(LABELS, typed, faults);
  return renderPage(
    { base, title, signedIn, at: AT },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <h1>Webhooks</h1>
      <p class="note">What happens here is sent to these addresses, signed.</p>
      <ul class="cards">
        {endpoints.map((endpoint) => (
          <li class="card" key={endpoint.id}>
            <h2>
              <a href={`${base}${AT}/${endpoint.id}`}>{clean(endpoint.url)}</a>
            </h2>
            <State endpoint={endpoint} />
          </li>
        ))}
      </ul>
      <section class="card apart">
        <h2>Add an address</h2>
        <form method="post" action={base + AT} novalidate>
          <Token value={signedIn.token} />
          <input type="hidden" name="key" value={key} />
          <TextField {...field("url")} hint="It begins with https://. The secret for the signature is shown next." />
          <details open={typed.types.length > 0}>
            <summary>Only some events</summary>
            <fieldset class="field choices">
              <legend>{LABELS.types}</legend>
              {Object.entries(EVENTS).map(([type, { says }]) => (
                <div class="choice" key={type}>
                  <input
                    type="checkbox"
                    id={`types-${type}`}
                    name="types"
                    value={type}
                    checked={typed.types.includes(type)}
                  />
                  <label for={`types-${type}`}>
                    {says} <span class="note">{type}</span>
                  </label>
                </div>
              ))}
            </fieldset>
          </details>
          <p class="apart">
            <button class="button" type="submit">
              Add the address
            </button>
          </p>
        </form>
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

const REASONS = { GONE: "its receiver has said that it is gone", FAILING: "it has failed for days" };

function State({ endpoint }: { endpoint: WebhookEndpoint }): VNode {
  const { status, disabledReason, disabledAt, failingSince, types } = endpoint;
  return (
    <p class="states">
      {status === "ENABLED" ? (
        <span class="state state-live">enabled</span>
      ) : (
        <span class="state state-failed">disabled</span>
      )}
      {disabledReason !== null && disabledAt !== null && (
        <span>
          since <Time at={disabledAt} />, because {inWords(REASONS, disabledReason)}
        </span>
      )}
      {failingSince !== null && (
        <span>
          fails since <Time at={failingSince} />
        </span>
      )}
      <span>{types === null ? "all events" : counted(types.length, "type of events", "types of events")}</span>
    </p>
  );
}

interface WebhookView {
  endpoint: WebhookEndpoint;
  deliveries: WebhookDelivery[];
  total: number;
  limit: number;
  offset: number;
  order: Order;
  /** Of a new endpoint. */
  secret: string | undefined;
  curl: string;
}

export function renderWebhook(base: string, signedIn: SignedIn, view: WebhookView): string {
  const { endpoint, deliveries, total, limit, offset, order, secret, curl } = view;
  const path = `${base}${AT}/${endpoint.id}`;
  const next = endpoint.status === "ENABLED" ? "DISABLED" : "ENABLED";
  return renderPage(
    { base, title: "Webhook", signedIn, at: AT },
    <>
      <p class="back">
        <a href={base + AT}>Webhooks</a>
      </p>
      {secret !== undefined && (
        <div class="done" role="status">
          <p>The secret of this address is shown only here. The receiver needs it, to know that messages are ours.</p>
          <p>
            <Copyable text={secret} what="the secret" />
          </p>
        </div>
      )}
      <h1>{clean(endpoint.url)}</h1>
      <State endpoint={endpoint} />
      <div class="acts">
        {endpoint.status === "ENABLED" && (
          <form method="post" action={`${path}/test`}>
            <Token value={signedIn.token} />
            <button class="button" type="submit">
              Send a test
            </button>
          </form>
        )}
        <form method="post" action={`${path}/status`}>
          <Token value={signedIn.token} />
          <input type="hidden" name="status" value={next} />
          <button class="button button-quiet" type="submit">
            {next === "ENABLED" ? "Enable" : "Disable"}
          </button>
        </form>
      </div>
      <section>
        <h2>{counted(total, "delivery", "deliveries")}</h2>
        {deliveries.length > 0 && (
          <Table columns={[byTime("When"), "Event", "State", "Attempts"]} sorting={{ path, at: order.sort }}>
            {deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <td data-label="When">
                  <a href={`${base}/console/deliveries/${delivery.id}`}>
                    <Time at={delivery.createdAt} />
                  </a>
                </td>
                <td data-label="Event">{delivery.eventType}</td>
                <td data-label="State">
                  <DeliveryState status={delivery.status} />
                </td>
                <td data-label="Attempts">{delivery.attemptCount}</td>
              </tr>
            ))}
          </Table>
        )}
        <Pages path={withSort(path, order.kept)} {...{ total, limit, offset }} />
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}
