// The page with one delivery of a webhook: how each attempt went.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { WebhookDelivery, WebhookDeliveryWithAttempts } from "../../client/types.ts";
import { ApiCall, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";

const STATES = { PENDING: "Waits", SUCCEEDED: "Delivered", FAILED: "Failed" };
const CLASSES = { PENDING: "state", SUCCEEDED: "state state-live", FAILED: "state state-failed" };

export function DeliveryState({ status }: Pick<WebhookDelivery, "status">): VNode {
  return <span class={CLASSES[status]}>{STATES[status]}</span>;
}

export function renderDelivery(
  base: string,
  signedIn: SignedIn,
  { delivery, curl }: { delivery: WebhookDeliveryWithAttempts; curl: string },
): string {
  const { id, webhookEndpointId, eventType, status, createdAt, nextAttemptAt, attempts } = delivery;
  return renderPage(
    { base, title: "Delivery", signedIn, at: "/console/webhooks" },
    <>
      <p class="back">
        <a href={`${base}/console/webhooks/${webhookEndpointId}`}>All deliveries</a>
      </p>
      <h1>{eventType}</h1>
      <p class="states">
        <DeliveryState status={status} />
        <span>
          from <Time at={createdAt} />
        </span>
        {nextAttemptAt !== null && (
          <span>
            next attempt <Time at={nextAttemptAt} />
          </span>
        )}
      </p>
      {attempts.length > 0 && (
        <form method="post" action={`${base}/console/deliveries/${id}/retry`}>
          <Token value={signedIn.token} />
          <button class="button button-quiet" type="submit">
            Send it again
          </button>
        </form>
      )}
      <section>
        <h2>Attempts</h2>
        {attempts.length === 0 && <p>None yet.</p>}
        <ol class="rows">
          {attempts.map(({ startedAt, milliseconds, httpStatus, error, answer }) => (
            <li key={startedAt}>
              <div>
                <p>{httpStatus === null ? clean(error ?? "No answer") : `Answered ${httpStatus}`}</p>
                {answer !== null && answer !== "" && <pre class="note">{clean(answer)}</pre>}
              </div>
              <p class="note">
                <Time at={startedAt} />, {milliseconds} ms
              </p>
            </li>
          ))}
        </ol>
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}
