// The commands of access tokens.

import type { Command } from "commander";
import type { Reader } from "../../db/sqlite/connection.ts";
import { changesBetween } from "../events/record.ts";
import { issueToken } from "../workspaces/issue.ts";
import {
  type AccessTokenRow,
  findTokenByUid,
  findUserByName,
  listTokens,
  revokeToken,
} from "../workspaces/token-queries.ts";
import { days, expiry, lastUse, listOf, SCOPES_HELP, scopes, scopesIn } from "./issuing.ts";
import { causedByOperator, changeControl } from "./running/change.ts";
import { date, NotFound, ofWorkspace, requiredText } from "./running/command.ts";

export function addTokens(program: Command): void {
  const token = program.command("token").description("Access tokens of a workspace's users");
  ofWorkspace(
    token,
    "create",
    "Issue a token for a user. If no user has this name, create one",
    (c) =>
      c
        .requiredOption("--user-name <name>", "name of the user", requiredText)
        .option("--expires-in-days <days>", "when it expires", days)
        .option("--scopes <scopes>", SCOPES_HELP, scopes),
    (store, row, _, options) => {
      const { id, accessToken, user } = changeControl(store, row.uid, causedByOperator(options.note), (db, record) => {
        const userName = options.userName!;
        const isNewUser = findUserByName(db, row.id, userName) === undefined;
        const expiresAt = expiry(options.expiresInDays);
        const issued = issueToken(db, row.id, { userName, expiresAt, ...scopesIn(options) });
        const changes = [{ field: "name", from: null, to: issued.user.name }];
        if (isNewUser) record({ type: "user.created", resource: { type: "User", uid: issued.user.id }, changes });
        record({
          type: "access-token.created",
          resource: { type: "AccessToken", uid: issued.id },
          changes: changesBetween(null, shownToken(db, row.id, issued.id)),
        });
        return issued;
      });
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
        lines: tokens.map((row) =>
          [row.uid, row.user_name, stateOfToken(row), listOf(row).join(), lastUse(row)].join("  "),
        ),
      };
    },
  );
  ofWorkspace(
    token,
    "revoke <id>",
    "Revoke a token at once",
    (c) => c,
    (store, row, [id], { note }) => {
      const token = changeControl(store, row.uid, causedByOperator(note), (db, record) => {
        const found = findTokenByUid(db, row.id, id!);
        if (!found) throw new NotFound(`The workspace has no token ${id}.`);
        const before = shownToken(db, row.id, found.uid);
        revokeToken(db, found.id, Date.now());
        const changes = changesBetween(before, shownToken(db, row.id, found.uid));
        const resource = { type: "AccessToken", uid: found.uid };
        if (changes.length) record({ type: "access-token.revoked", resource, changes });
        return findTokenByUid(db, row.id, found.uid)!;
      });
      return { json: tokenJson(token), lines: [`revoked ${token.uid}`] };
    },
  );
}

/** What events show of a token. */
function shownToken(db: Reader, workspaceId: number, uid: string): string {
  const { user, expiresAt, scopes, revokedAt } = tokenJson(findTokenByUid(db, workspaceId, uid)!);
  return JSON.stringify({ userId: user.id, expiresAt, scopes, revokedAt });
}

function tokenJson(row: AccessTokenRow) {
  const { uid, user_uid, user_name, created_at, expires_at, revoked_at, last_used_at } = row;
  return {
    id: uid,
    user: { id: user_uid, name: user_name },
    createdAt: date(created_at),
    expiresAt: date(expires_at),
    revokedAt: date(revoked_at),
    lastUsedAt: date(last_used_at),
    scopes: listOf(row),
  };
}

function stateOfToken({ revoked_at, expires_at, disabled_at }: AccessTokenRow): string {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && expires_at <= Date.now()) return "expired";
  return disabled_at === null ? "live" : "user disabled";
}
