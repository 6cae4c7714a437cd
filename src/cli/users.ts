// The commands of a workspace's users.

import type { Command } from "commander";
import { immediate } from "../../db/write.ts";
import { disableUser, listUsers, type UserRow } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { date, NotFound, type Output, ofWorkspace, type Store } from "./command.ts";

export function addUsers(program: Command): void {
  const user = program.command("user").description("Users of a workspace. A token makes its user: token create");
  ofWorkspace(
    user,
    "list",
    "List users",
    (c) => c,
    ({ control }, row) => {
      const users = listUsers(control.reader, row.id, Date.now());
      return { json: users.map(userJson), lines: users.map(line) };
    },
  );
  ofWorkspace(
    user,
    "disable <id>",
    "Let no token of a user work",
    (c) => c,
    (store, row, [id]) => disable(store, row, id!, Date.now()),
  );
  ofWorkspace(
    user,
    "enable <id>",
    "Let the tokens of a user work again",
    (c) => c,
    (store, row, [id]) => disable(store, row, id!, null),
  );
}

function disable({ control }: Store, { id: workspaceId }: WorkspaceRow, uid: string, now: number | null): Output {
  const find = () => listUsers(control.reader, workspaceId, Date.now()).find((one) => one.uid === uid.toLowerCase());
  const found = find();
  if (!found) throw new NotFound(`The workspace has no user ${uid}.`);
  immediate(control.writer, () => disableUser(control.writer, found.id, now));
  const changed = find()!;
  return { json: userJson(changed), lines: [line(changed)] };
}

function userJson({ uid, name, created_at, disabled_at, tokens }: UserRow) {
  return { id: uid, name, createdAt: date(created_at), disabledAt: date(disabled_at), tokens };
}

function line({ uid, name, disabled_at, tokens }: UserRow): string {
  return `${uid}  ${name}  ${disabled_at === null ? "enabled" : "disabled"}  ${tokens} live ${tokens === 1 ? "token" : "tokens"}`;
}
