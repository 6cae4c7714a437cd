// The commands of API keys.

import { type Command, InvalidArgumentError } from "commander";
import type { Reader, Writer } from "../../db/connection.ts";
import { changesBetween } from "../events/record.ts";
import { issueKey, rotateKey } from "../workspaces/issue.ts";
import {
  type ApiKeyRow,
  findApiKeyByUid,
  listApiKeys,
  listSecrets,
  revokeApiKey,
  type SecretRow,
  type WorkspaceRow,
} from "../workspaces/queries.ts";
import { causedByOperator, changeControl } from "./change.ts";
import { date, NotFound, ofWorkspace, requiredText, type Store } from "./command.ts";
import { DAY_MS, days, expiry, lastUse, listOf, SCOPES_HELP, scopes, scopesIn } from "./issuing.ts";

const HOUR_MS = 3_600_000;

export function addKeys(program: Command): void {
  const key = program.command("key").description("API keys");
  ofWorkspace(
    key,
    "create",
    "Issue a key",
    (c) =>
      c
        .requiredOption("--name <name>", "purpose of the key", requiredText)
        .option("--expires-in-days <days>", "when its secret expires", days)
        .option("--scopes <scopes>", SCOPES_HELP, scopes),
    (store, row, _, options) => {
      const issued = changeControl(store, row.uid, causedByOperator(options.note), (db, record) => {
        const expiresAt = expiry(options.expiresInDays);
        const issued = issueKey(db, row.id, { name: options.name!, expiresAt, ...scopesIn(options) });
        const changes = changesBetween(null, shownKey(db, row.id, issued.id));
        record({ type: "api-key.created", resource: { type: "ApiKey", uid: issued.id }, changes });
        return issued;
      });
      return {
        json: issued,
        lines: [
          `id      ${issued.id}`,
          `key     ${issued.apiKey}`,
          `secret  ${issued.apiSecret}`,
          "The secret is shown only once.",
        ],
      };
    },
  );
  ofWorkspace(
    key,
    "list",
    "List keys",
    (c) => c,
    ({ control }, row) => {
      const { reader } = control;
      const keys = listApiKeys(reader, row.id).map((key) => ({ key, secrets: liveSecrets(reader, key) }));
      return {
        json: keys.map(({ key, secrets }) => keyJson(key, secrets)),
        lines: keys.map(({ key, secrets }) =>
          [key.uid, key.api_key, key.name, ...stateOf(key, secrets), listOf(key).join(), lastUse(key)].join("  "),
        ),
      };
    },
  );
  ofWorkspace(
    key,
    "rotate <id>",
    "Issue a new secret for a key, with the same lifetime. The old secret stays valid for a day",
    (c) => c.option("--overlap-hours <hours>", "how long the old secret stays valid", hours),
    (store, row, [id], options) => {
      const overlap = options.overlapHours === undefined ? DAY_MS : Number(options.overlapHours) * HOUR_MS;
      const { key, apiSecret } = changeKey(store, row, id!, options.note, "api-key.rotated", (db, key) => ({
        key,
        apiSecret: rotateKey(db, key.id, overlap),
      }));
      return {
        json: { id: key.uid, apiKey: key.api_key, apiSecret },
        lines: [`key     ${key.api_key}`, `secret  ${apiSecret}`, "The secret is shown only once."],
      };
    },
  );
  ofWorkspace(
    key,
    "revoke <id>",
    "Revoke a key at once",
    (c) => c,
    (store, row, [id], { note }) => {
      const key = changeKey(store, row, id!, note, "api-key.revoked", (db, key) => {
        revokeApiKey(db, key.id, Date.now());
        return findApiKeyByUid(db, row.id, key.uid)!;
      });
      return { json: keyJson(key, []), lines: [`revoked ${key.api_key}`] };
    },
  );
}

/** Changes a key. If that changes what it shows, there is an event. @throws NotFound */
function changeKey<T>(
  store: Store,
  { id: workspaceId, uid: workspaceUid }: WorkspaceRow,
  uid: string,
  note: string | undefined,
  type: "api-key.rotated" | "api-key.revoked",
  change: (db: Writer, key: ApiKeyRow) => T,
): T {
  return changeControl(store, workspaceUid, causedByOperator(note), (db, record) => {
    const key = findApiKeyByUid(db, workspaceId, uid);
    const kind = type === "api-key.rotated" ? "live key" : "key";
    if (!key || (key.revoked_at !== null && kind === "live key"))
      throw new NotFound(`The workspace has no ${kind} ${uid}.`);
    const before = shownKey(db, workspaceId, key.uid);
    const result = change(db, key);
    const changes = changesBetween(before, shownKey(db, workspaceId, key.uid));
    if (changes.length) record({ type, resource: { type: "ApiKey", uid: key.uid }, changes });
    return result;
  });
}

/** What events show of a key. */
function shownKey(db: Reader, workspaceId: number, uid: string): string {
  const key = findApiKeyByUid(db, workspaceId, uid)!;
  const { name, scopes, secrets, revokedAt } = keyJson(key, liveSecrets(db, key));
  return JSON.stringify({ name, scopes, secrets, revokedAt });
}

/** The secrets of a key that work, the oldest first. While a key is rotated it has two. */
function liveSecrets(reader: Reader, { id, revoked_at }: ApiKeyRow): SecretRow[] {
  const now = Date.now();
  if (revoked_at !== null) return [];
  return listSecrets(reader, id).filter(({ expires_at }) => expires_at === null || expires_at > now);
}

function keyJson(row: ApiKeyRow, secrets: SecretRow[]) {
  const { uid, api_key, name, created_at, revoked_at, last_used_at } = row;
  return {
    id: uid,
    apiKey: api_key,
    name,
    createdAt: date(created_at),
    revokedAt: date(revoked_at),
    lastUsedAt: date(last_used_at),
    secrets: secrets.map(({ created_at, expires_at }) => ({
      createdAt: date(created_at),
      expiresAt: date(expires_at),
    })),
    scopes: listOf(row),
  };
}

/** Whether a key works, until when, and until when its old secret works, too. */
function stateOf({ revoked_at }: ApiKeyRow, secrets: SecretRow[]): string[] {
  if (revoked_at !== null) return ["revoked"];
  const newest = secrets.at(-1);
  if (!newest) return ["expired"];
  const older = secrets.slice(0, -1).map(({ expires_at }) => `old secret until ${date(expires_at)}`);
  return ["live", newest.expires_at === null ? "does not expire" : `expires ${date(newest.expires_at)}`, ...older];
}

function hours(text: string): string {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return text;
}
