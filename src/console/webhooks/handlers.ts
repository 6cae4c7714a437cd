// The pages of webhooks: where events are sent, what was delivered, and how each attempt went.

import { randomUUID } from "node:crypto";
import type { Finding } from "../../base/findings.ts";
import type { NewWebhookEndpoint, WebhookEndpoint } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { byTime } from "../shell/newest.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderDelivery } from "./delivery-page.tsx";
import { renderWebhook, renderWebhooks, type TypedEndpoint } from "./page.tsx";

const DELIVERIES_PER_PAGE = 50;

/** More than a workspace may have. */
const LIMIT = "pagination[limit]=100";

const path = "/console/webhooks";

export const webhookPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => list(request, { url: "", types: [] }, {}) },
  { method: "post", path, role: "admin", handle: createEndpoint },
  { method: "get", path: `${path}/:id`, role: "admin", handle: (request) => showEndpoint(request) },
  { method: "post", path: `${path}/:id/test`, role: "admin", handle: testEndpoint },
  { method: "post", path: `${path}/:id/status`, role: "admin", handle: setStatus },
  { method: "get", path: "/console/deliveries/:id", role: "admin", handle: showDelivery },
  { method: "post", path: "/console/deliveries/:id/retry", role: "admin", handle: retryDelivery },
];

/** What is wrong with the endpoints of the workspace, for the page about what runs. */
export async function webhookFindings(calls: VisitorRequest["calls"]): Promise<Finding[]> {
  const { items } = await calls.get("listWebhookEndpoints", { query: LIMIT });
  return items.flatMap(({ url, status, disabledReason, disabledAt, failingSince }) => {
    if (status === "DISABLED" && disabledReason !== null)
      return {
        code: "webhook_disabled",
        message: `Nothing has been sent to ${url} since ${disabledAt}.`,
        blocking: false,
      };
    if (status === "ENABLED" && failingSince !== null)
      return { code: "webhook_failing", message: `${url} has taken nothing since ${failingSince}.`, blocking: false };
    return [];
  });
}

async function list(request: VisitorRequest, typed: TypedEndpoint, faults: Faults): Promise<Reply> {
  const { base, calls } = request;
  const call = { query: LIMIT };
  const { items } = await calls.get("listWebhookEndpoints", call);
  const curl = calls.curl("listWebhookEndpoints", call);
  const view = { endpoints: items, typed, faults, key: randomUUID(), curl };
  return page(Object.keys(faults).length ? 422 : 200, renderWebhooks(base, signedIn(request), view));
}

type EventWord = NonNullable<NewWebhookEndpoint["types"]>[number];

/** POST: makes an endpoint. The page shows its secret: it is nowhere else. */
async function createEndpoint(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const typed = { url: fields("url").trim(), types: fields.all("types") };
  const body = {
    url: typed.url,
    types: typed.types.length ? typed.types.map((type) => unchecked<EventWord>(type)) : null,
  };
  try {
    const headers = { "idempotency-key": fields("key") };
    const made = await calls.send("createWebhookEndpoint", { headers, body });
    return await showEndpoint(request, made.value.id, made.value.secret);
  } catch (error) {
    return list(request, typed, faultsOf(error, ["url", "types"]));
  }
}

/** @param secret of a new endpoint, to be shown once */
async function showEndpoint(request: VisitorRequest, id = request.params.id!, secret?: string): Promise<Reply> {
  const { base, calls, query } = request;
  const endpoint = await calls.get("getWebhookEndpoint", { id });
  const filter = `filter[webhookEndpointId][eq]=${endpoint.id}`;
  const read = (sent: string) => calls.get("listWebhookDeliveries", { query: sent });
  const { items, query: sent, ...list } = await byTime(read, filter, { query, limit: DELIVERIES_PER_PAGE });
  const curl = calls.curl("listWebhookDeliveries", { query: sent });
  const view = { endpoint, deliveries: items, ...list, secret, curl };
  return page(200, renderWebhook(base, signedIn(request), view));
}

/** POST: sends a test, and leads to its delivery. */
async function testEndpoint({ base, calls, params }: VisitorRequest): Promise<Reply> {
  const { value } = await calls.send("testWebhookEndpoint", { id: params.id! });
  return redirect(`${base}/console/deliveries/${value.id}`);
}

/** POST: enables or disables an endpoint. */
async function setStatus({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  await calls.send("changeWebhookEndpoint", {
    id: params.id!,
    body: { status: unchecked<WebhookEndpoint["status"]>(fields("status")) },
  });
  return redirect(`${base}${path}/${params.id}`);
}

async function showDelivery(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const call = { id: params.id! };
  const delivery = await calls.get("getWebhookDelivery", call);
  const curl = calls.curl("getWebhookDelivery", call);
  const reply = page(200, renderDelivery(base, signedIn(request), { delivery, curl }));
  // Until its first attempt, the page looks again by itself.
  const isNew = delivery.status === "PENDING" && delivery.attemptCount === 0;
  return isNew ? { ...reply, headers: { Refresh: "2" } } : reply;
}

/** POST: sends a delivery again, now. */
async function retryDelivery({ base, calls, params }: VisitorRequest): Promise<Reply> {
  await calls.send("retryWebhookDelivery", { id: params.id! });
  return redirect(`${base}/console/deliveries/${params.id}`);
}
