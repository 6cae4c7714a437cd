// The commands of API keys.

import { type Command, InvalidArgumentError } from "commander";
import { addKey, listKeys, OVERLAP_MS, revoke, rotate } from "../access/keys.ts";
import type { ApiKeyRow, SecretRow } from "../workspaces/queries.ts";
import { days, expiry, lastUse, listOf, SCOPES_HELP, scopes, scopesIn } from "./issuing.ts";
import { changeAccess } from "./running/change.ts";
import { date, ofWorkspace, requiredText } from "./running/command.ts";

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
      const expiresAt = expiry(options.expiresInDays);
      const issued = changeAccess(store, row, options.note, (db, record) =>
        addKey(db, record, row.id, { name: options.name!, expiresAt, ...scopesIn(options) }),
      );
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
      const keys = listKeys(control.reader, row.id);
      return {
        json: keys.map(({ row: key, secrets }) => keyJson(key, secrets)),
        lines: keys.map(({ row: key, secrets }) =>
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
      const overlap = options.overlapHours === undefined ? OVERLAP_MS : Number(options.overlapHours) * HOUR_MS;
      const { key, apiSecret } = changeAccess(store, row, options.note, (db, record) =>
        rotate(db, record, row.id, id!, overlap),
      );
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
      const key = changeAccess(store, row, note, (db, record) => revoke(db, record, row.id, id!));
      return { json: keyJson(key, []), lines: [`revoked ${key.api_key}`] };
    },
  );
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
