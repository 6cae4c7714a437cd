// What tests of webhooks do again and again.

import { type Answer, type Client, people } from "./client.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import type { Service } from "./service.ts";
import { until } from "./until.ts";

/** A workspace whose events go to a receiver: by default a new one. */
export async function subscribe(
  service: Pick<Service, "workspace">,
  types: string[] | null = null,
  client = service.workspace(),
): Promise<{ client: Client; receiver: Receiver; endpoint: Answer["body"] }> {
  const receiver = await startReceiver();
  const { status, body, text } = await client.post("/webhook-endpoints", { url: receiver.url, types });
  if (status !== 201) throw new Error(text);
  return { client, receiver, endpoint: body };
}

/** Adds the participant with this number: an event. @returns the participant's id */
export async function add(client: Client, number: number): Promise<string> {
  const { status, body, text } = await client.post("/participants", people(1, number)[0]);
  if (status !== 201) throw new Error(text);
  return body.id;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a delivery
export function deliveriesOf(client: Client): Promise<any[]> {
  return client.all("/webhook-deliveries");
}

/** Resolves with the deliveries when so many have succeeded. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export async function settled(client: Client, count: number, ms = 30_000): Promise<any[]> {
  await until(
    async () => {
      const { body } = await client.get("/webhook-deliveries?filter[status][eq]=SUCCEEDED&pagination[limit]=1");
      return body.total >= count;
    },
    `${count} deliveries have succeeded`,
    ms,
  );
  return deliveriesOf(client);
}

/** Resolves when so many attempts were recorded. */
export async function attempted(client: Client, count: number): Promise<void> {
  await until(async () => {
    const counts = (await deliveriesOf(client)).map(({ attemptCount }) => attemptCount as number);
    return counts.reduce((sum, one) => sum + one, 0) >= count;
  }, `${count} attempts were made`);
}

/** Makes all that waits for its next attempt due now. */
export async function hasten({ context }: Service, { workspaceId }: Client): Promise<void> {
  await context.workspaces.writeWhenFree(workspaceId, 5000, (db) =>
    db.run("UPDATE webhook_delivery SET next_attempt_at = 0 WHERE status = 'PENDING' AND claim IS NULL"),
  );
}
