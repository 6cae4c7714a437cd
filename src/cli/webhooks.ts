// The commands of webhooks: where a workspace's events go, and what became of them.

import { type Command, InvalidArgumentError } from "commander";
import { readItems } from "../../db/list/items.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { counted } from "../languages/counted.ts";
import { getEnabledEndpoint } from "../webhooks/queries.ts";
import { DELIVERY_STATUSES, deliveryWithAttempts, webhookDelivery, webhookEndpoint } from "../webhooks/resource.ts";
import { sendTest } from "../webhooks/send-test.ts";
import { causedByOperator, changeStore } from "./running/change.ts";
import { NotFound, ofWorkspace, WrongUse } from "./running/command.ts";

const DEFAULT_LIMIT = "20";
const MAX_LIMIT = 1000;

export function addWebhooks(program: Command): void {
  const webhook = program.command("webhook").description("Webhooks: endpoints are made with the API");
  ofWorkspace(
    webhook,
    "list",
    "List the endpoints of a workspace, without their secrets",
    (c) => c,
    ({ workspaces }, { uid }) => {
      const all = workspaces.read(uid, (db) =>
        shown(db, webhookEndpoint.json, `FROM ${webhookEndpoint.from} ORDER BY t.id`),
      );
      return {
        json: all,
        lines: all.map(({ id, url, status, disabledReason, failingSince, types }) =>
          [
            `${id}  ${url}  ${status.toLowerCase()}${disabledReason ? ` (${disabledReason.toLowerCase()})` : ""}`,
            failingSince && status === "ENABLED" ? `failing since ${failingSince}` : undefined,
            types?.join() ?? "all types",
          ]
            .filter((part) => part !== undefined)
            .join("  "),
        ),
      };
    },
  );
  ofWorkspace(
    webhook,
    "test <id>",
    "Send a test to an endpoint. The service has to run; see webhook deliveries for what became of it",
    (c) => c,
    (store, { uid }, [id], { note }) => {
      const delivery = explained(() =>
        changeStore(store, uid, causedByOperator(note), (db, record) => {
          const made = sendTest(db, getEnabledEndpoint(db, id!.toLowerCase()), record);
          return JSON.parse(webhookDelivery.find(db, made)!);
        }),
      );
      return { json: delivery, lines: [`${delivery.id}  ${delivery.status.toLowerCase()}`] };
    },
  );
  ofWorkspace(
    webhook,
    "deliveries",
    "List the newest deliveries of a workspace, with their last attempts",
    (c) =>
      c
        .option("--endpoint <id>", "of this endpoint alone")
        .option("--status <status>", `one of ${DELIVERY_STATUSES.join(", ").toLowerCase()}`, status)
        .option("--limit <count>", `how many, at most ${MAX_LIMIT}`, limit, DEFAULT_LIMIT),
    ({ workspaces }, { uid }, _, options) => {
      const where = "(? IS NULL OR t.status = ?) AND (? IS NULL OR w.uid = lower(?))";
      const [wanted, endpoint] = [options.status ?? null, options.endpoint ?? null];
      const all = workspaces.read(uid, (db) =>
        shown(
          db,
          deliveryWithAttempts.json,
          `FROM ${deliveryWithAttempts.from} WHERE ${where} ORDER BY t.id DESC LIMIT ?`,
          ...[wanted, wanted, endpoint, endpoint, Number(options.limit)],
        ),
      );
      return {
        json: all,
        lines: all.map(({ id, createdAt, eventType, status, attempts, attemptCount, nextAttemptAt }) => {
          const last = attempts.at(-1);
          const how = last ? `${last.httpStatus ?? last.error}` : "not sent yet";
          const next = nextAttemptAt ? `  next at ${nextAttemptAt}` : "";
          return `${id}  ${createdAt}  ${eventType}  ${status.toLowerCase()}  ${counted(attemptCount, "attempt", "attempts")}, last: ${how}${next}`;
        }),
      };
    },
  );
}

/** The rows of a SELECT. `rest` begins with FROM. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of a resource, whose schema is its own
function shown(db: Reader, json: string, rest: string, ...values: (string | number | null)[]): any[] {
  return JSON.parse(`[${Buffer.from(readItems(db, json, rest, ...values)).toString("utf8")}]`);
}

/** Has problems end a command as its own errors do. */
function explained<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw error.status === 404 ? new NotFound(error.message) : new WrongUse(error.message);
  }
}

function status(text: string): string {
  const found = DELIVERY_STATUSES.find((one) => one === text.toUpperCase());
  if (!found) throw new InvalidArgumentError(`It must be one of ${DELIVERY_STATUSES.join(", ").toLowerCase()}.`);
  return found;
}

function limit(text: string): string {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_LIMIT) return text;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LIMIT}.`);
}
