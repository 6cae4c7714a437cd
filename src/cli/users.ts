// The commands of a workspace's users.

import type { Command } from "commander";
import { disableUser, listUsers, type UserRow } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { causedByOperator, changeControl } from "./change.ts";
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
    (store, row, [id], { note }) => disable(store, row, id!, Date.now(), note),
  );
  ofWorkspace(
    user,
    "enable <id>",
    "Let the tokens of a user work again",
    (c) => c,
    (store, row, [id], { note }) => disable(store, row, id!, null, note),
  );
}

/** @param now null: enables the user */
function disable(
  store: Store,
  { id: workspaceId, uid: workspaceUid }: WorkspaceRow,
  uid: string,
  now: number | null,
  note: string | undefined,
): Output {
  const changed = changeControl(store, workspaceUid, causedByOperator(note), (db, record) => {
    const find = () => listUsers(db, workspaceId, Date.now()).find((one) => one.uid === uid.toLowerCase());
    const found = find();
    if (!found) throw new NotFound(`The workspace has no user ${uid}.`);
    disableUser(db, found.id, now);
    const row = find()!;
    const changes = [{ field: "disabledAt", from: date(found.disabled_at), to: date(row.disabled_at) }];
    const type = now === null ? "user.enabled" : "user.disabled";
    if (row.disabled_at !== found.disabled_at) record({ type, resource: { type: "User", uid: row.uid }, changes });
    return row;
  });
  return { json: userJson(changed), lines: [line(changed)] };
}

function userJson({ uid, name, created_at, disabled_at, tokens }: UserRow) {
  return { id: uid, name, createdAt: date(created_at), disabledAt: date(disabled_at), tokens };
}

function line({ uid, name, disabled_at, tokens }: UserRow): string {
  return `${uid}  ${name}  ${disabled_at === null ? "enabled" : "disabled"}  ${tokens} live ${tokens === 1 ? "token" : "tokens"}`;
}
