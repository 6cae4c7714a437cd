// The pages of webhooks: where events are sent, what was delivered, and how each attempt went.

import { randomUUID } from "node:crypto";
import type { EventType } from "../events/types.ts";
import type { Reply } from "../http/reply.ts";
import type { Listed } from "./calls.ts";
import { type Faults, faultsOf } from "./faults.ts";
import { newestOf } from "./newest.ts";
import { type ConsoleRoute, offsetOf, page, redirect, signedIn, type VisitorRequest } from "./request.ts";
import { type Delivery, renderDelivery } from "./view/delivery-page.tsx";
import { type Endpoint, renderWebhook, renderWebhooks, type TypedEndpoint } from "./view/webhooks-page.tsx";

const DELIVERIES_PER_PAGE = 50;

/** More than a workspace may have. */
const MAX_ENDPOINTS = 100;

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

async function list(request: VisitorRequest, typed: TypedEndpoint, faults: Faults): Promise<Reply> {
  const { base, calls } = request;
  const call = { query: `pagination[limit]=${MAX_ENDPOINTS}` };
  const { items } = await calls.get<Listed<Endpoint>>("listWebhookEndpoints", call);
  const curl = calls.curl("listWebhookEndpoints", call);
  const view = { endpoints: items, typed, faults, key: randomUUID(), curl };
  return page(Object.keys(faults).length ? 422 : 200, renderWebhooks(base, signedIn(request), view));
}

/** POST: makes an endpoint. The page shows its secret: it is nowhere else. */
async function createEndpoint(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const typed = { url: fields("url").trim(), types: fields.all("types") };
  const body = { url: typed.url, types: typed.types.length ? (typed.types as EventType[]) : null };
  try {
    const headers = { "idempotency-key": fields("key") };
    const made = await calls.send<Endpoint & { secret: string }>("createWebhookEndpoint", { headers, body });
    return await showEndpoint(request, made.value.id, made.value.secret);
  } catch (error) {
    return list(request, typed, faultsOf(error, ["url", "types"]));
  }
}

/** @param secret of a new endpoint, to be shown once */
async function showEndpoint(request: VisitorRequest, id = request.params.id!, secret?: string): Promise<Reply> {
  const { base, calls, query } = request;
  const endpoint = await calls.get<Endpoint>("getWebhookEndpoint", { id });
  const limits = { limit: DELIVERIES_PER_PAGE, offset: secret === undefined ? offsetOf(query) : 0 };
  const filter = `filter[webhookEndpointId][eq]=${endpoint.id}`;
  const found = await newestOf<Delivery>(calls, "listWebhookDeliveries", filter, limits);
  const curl = calls.curl("listWebhookDeliveries", { query: found.query });
  const view = { endpoint, deliveries: found.items, total: found.total, ...limits, secret, curl };
  return page(200, renderWebhook(base, signedIn(request), view));
}

/** POST: sends a test, and leads to its delivery. */
async function testEndpoint({ base, calls, params }: VisitorRequest): Promise<Reply> {
  const { value } = await calls.send<Delivery>("testWebhookEndpoint", { id: params.id! });
  return redirect(`${base}/console/deliveries/${value.id}`);
}

/** POST: enables or disables an endpoint. */
async function setStatus({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  await calls.send("changeWebhookEndpoint", { id: params.id!, body: { status: fields("status") } });
  return redirect(`${base}${path}/${params.id}`);
}

async function showDelivery(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const call = { id: params.id! };
  const delivery = await calls.get<Delivery>("getWebhookDelivery", call);
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
