// The commands of API keys and access tokens.

import { type Command, InvalidArgumentError } from "commander";
import type { Control } from "../../db/control.ts";
import { immediate } from "../../db/write.ts";
import { issueKey, issueToken, rotateKey } from "../workspaces/credentials.ts";
import {
  type AccessTokenRow,
  type ApiKeyRow,
  findApiKeyByUid,
  findTokenByUid,
  listApiKeys,
  listSecrets,
  listTokens,
  revokeApiKey,
  revokeToken,
  type SecretRow,
} from "../workspaces/queries.ts";
import { date, NotFound, ofWorkspace, requiredText } from "./command.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function addCredentials(program: Command): void {
  const key = program.command("key").description("API keys");
  ofWorkspace(
    key,
    "create",
    "Issue a key",
    (c) =>
      c
        .requiredOption("--name <name>", "purpose of the key", requiredText)
        .option("--expires-in-days <days>", "when its secret expires", days),
    ({ control }, row, _, options) => {
      const issued = immediate(control.writer, () =>
        issueKey(control.writer, row.id, { name: options.name!, expiresAt: expiry(options.expiresInDays) }),
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
      const keys = listApiKeys(control.reader, row.id).map((key) => ({ key, secrets: liveSecrets(control, key) }));
      return {
        json: keys.map(({ key, secrets }) => keyJson(key, secrets)),
        lines: keys.map(({ key, secrets }) =>
          [key.uid, key.api_key, key.name, ...stateOf(key, secrets), lastUse(key)].join("  "),
        ),
      };
    },
  );
  ofWorkspace(
    key,
    "rotate <id>",
    "Issue a new secret for a key, with the same lifetime. The old secret stays valid for a day",
    (c) => c.option("--overlap-hours <hours>", "how long the old secret stays valid", hours),
    ({ control }, row, [id], options) => {
      const found = findApiKeyByUid(control.reader, row.id, id!);
      if (!found || found.revoked_at) throw new NotFound(`The workspace has no live key ${id}.`);
      const overlap = options.overlapHours === undefined ? DAY_MS : Number(options.overlapHours) * HOUR_MS;
      const apiSecret = immediate(control.writer, () => rotateKey(control.writer, found.id, overlap));
      return {
        json: { id: found.uid, apiKey: found.api_key, apiSecret },
        lines: [`key     ${found.api_key}`, `secret  ${apiSecret}`, "The secret is shown only once."],
      };
    },
  );
  ofWorkspace(
    key,
    "revoke <id>",
    "Revoke a key at once",
    (c) => c,
    ({ control }, row, [id]) => {
      const found = findApiKeyByUid(control.reader, row.id, id!);
      if (!found) throw new NotFound(`The workspace has no key ${id}.`);
      immediate(control.writer, () => revokeApiKey(control.writer, found.id, Date.now()));
      const revoked = findApiKeyByUid(control.reader, row.id, id!)!;
      return { json: keyJson(revoked, liveSecrets(control, revoked)), lines: [`revoked ${found.api_key}`] };
    },
  );

  const token = program.command("token").description("Access tokens of a workspace's users");
  ofWorkspace(
    token,
    "create",
    "Issue a token for a user. If no user has this name, create one",
    (c) =>
      c
        .requiredOption("--user-name <name>", "name of the user", requiredText)
        .option("--expires-in-days <days>", "when it expires", days),
    ({ control }, row, _, options) => {
      const { id, accessToken, user } = immediate(control.writer, () =>
        issueToken(control.writer, row.id, { userName: options.userName!, expiresAt: expiry(options.expiresInDays) }),
      );
      return {
        json: { id, accessToken, user },
        lines: [
          `id     ${id}`,
          `user   ${user.id}  ${user.name}`,
          `token  ${accessToken}`,
          "The token is shown only once.",
        ],
      };
    },
  );
  ofWorkspace(
    token,
    "list",
    "List tokens",
    (c) => c,
    ({ control }, row) => {
      const tokens = listTokens(control.reader, row.id);
      return {
        json: tokens.map(tokenJson),
        lines: tokens.map((row) => `${row.uid}  ${row.user_name}  ${stateOfToken(row)}  ${lastUse(row)}`),
      };
    },
  );
  ofWorkspace(
    token,
    "revoke <id>",
    "Revoke a token at once",
    (c) => c,
    ({ control }, row, [id]) => {
      const found = findTokenByUid(control.reader, row.id, id!);
      if (!found) throw new NotFound(`The workspace has no token ${id}.`);
      immediate(control.writer, () => revokeToken(control.writer, found.id, Date.now()));
      return { json: tokenJson(findTokenByUid(control.reader, row.id, id!)!), lines: [`revoked ${found.uid}`] };
    },
  );
}

/** The secrets of a key that work, the oldest first. While a key is rotated it has two. */
function liveSecrets({ reader }: Control, { id, revoked_at }: ApiKeyRow): SecretRow[] {
  const now = Date.now();
  if (revoked_at !== null) return [];
  return listSecrets(reader, id).filter(({ expires_at }) => expires_at === null || expires_at > now);
}

function keyJson({ uid, api_key, name, created_at, revoked_at, last_used_at }: ApiKeyRow, secrets: SecretRow[]) {
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

function tokenJson({ uid, user_uid, user_name, created_at, expires_at, revoked_at, last_used_at }: AccessTokenRow) {
  return {
    id: uid,
    user: { id: user_uid, name: user_name },
    createdAt: date(created_at),
    expiresAt: date(expires_at),
    revokedAt: date(revoked_at),
    lastUsedAt: date(last_used_at),
  };
}

function stateOfToken({ revoked_at, expires_at, disabled_at }: AccessTokenRow): string {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && expires_at <= Date.now()) return "expired";
  return disabled_at === null ? "live" : "user disabled";
}

function lastUse({ last_used_at }: { last_used_at: number | null }): string {
  return last_used_at === null ? "never used" : `used ${date(last_used_at)}`;
}

function expiry(inDays: string | undefined): number | null {
  return inDays === undefined ? null : Date.now() + Number(inDays) * DAY_MS;
}

function days(text: string): string {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return text;
}

function hours(text: string): string {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return text;
}
