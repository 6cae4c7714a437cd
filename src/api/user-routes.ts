// /workspace/users: the users of a workspace, and their roles.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { NotThere, Refused } from "../access/faults.ts";
import { changeRole, findUser } from "../access/users.ts";
import { exampleIds } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { closedObject, timestamp, uuid } from "../base/schemas.ts";
import { pendEvent } from "../events/outbox.ts";
import { type AnyEndpoint, causeOf, defineEndpoint, ok, requireMatch, withTag } from "../http/endpoint.ts";
import { listUsers, type UserRow } from "../workspaces/lives.ts";
import { requireHere } from "../workspaces/moving.ts";
import { ROLES } from "../workspaces/rights.ts";

const tag = "Workspace";
const path = "/workspace/users/:id";

const User = v.pipe(
  v.object({
    _type: v.literal("User"),
    id: uuid,
    name: v.string(),
    email: v.nullable(v.string()),
    role: v.nullable(v.picklist(ROLES)),
    isOperator: v.boolean(),
    createdAt: timestamp,
    disabledAt: v.nullable(timestamp),
  }),
  v.title("User"),
);

type UserView = v.InferOutput<typeof User>;

const Users = v.pipe(v.object({ _type: v.literal("Users"), items: v.array(User) }), v.title("Users"));

const UserChange = v.pipe(
  closedObject({ role: v.pipe(v.picklist(ROLES), v.description("What the user may do")) }),
  v.title("UserChange"),
);

const example: UserView = {
  _type: "User",
  id: exampleIds.user,
  name: "Ada",
  email: "ada@example.org",
  role: "viewer",
  isOperator: false,
  createdAt: "2026-01-31T12:00:00.000Z",
  disabledAt: null,
};

function viewOf({ uid, name, email, role, is_operator, created_at, disabled_at }: UserRow): UserView {
  return {
    _type: "User",
    id: uid,
    name,
    email,
    role,
    isOperator: is_operator === 1,
    createdAt: new Date(created_at).toISOString(),
    disabledAt: disabled_at === null ? null : new Date(disabled_at).toISOString(),
  };
}

/** @throws Problem user_not_found */
function jsonOf(db: Reader, workspaceId: number, uid: string): string {
  return asProblem(() => JSON.stringify(viewOf(findUser(db, workspaceId, uid))));
}

/** Runs `work`. @throws Problem for what it refuses */
function asProblem<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotThere) throw new Problem("user_not_found");
    if (error instanceof Refused && error.code) throw new Problem(error.code, { detail: error.message });
    throw error;
  }
}

const list = defineEndpoint({
  method: "get",
  path: "/workspace/users",
  operationId: "listUsers",
  scopes: ["admin"],
  tag,
  summary: "List users",
  description: "All of them, the oldest first. Users who have tokens alone have neither email nor role.",
  replies: { 200: { description: "The users", schema: Users } },
  examples: { users: { reply: { _type: "Users", items: [example] } } },
  problems: [],
  handle({ context, principal }) {
    const items = listUsers(context.control.reader, principal.workspaceId, Date.now()).map(viewOf);
    return ok(JSON.stringify({ _type: "Users", items }));
  },
});

const read = defineEndpoint({
  method: "get",
  path,
  operationId: "getUser",
  scopes: ["admin"],
  tag,
  summary: "Get a user",
  description: "An id of another workspace is unknown, like an id that nobody has.",
  headers: { "If-None-Match": "The ETag of what the caller has" },
  replies: {
    200: { description: "The user", schema: User, headers: { ETag: "For If-None-Match and If-Match" } },
    304: { description: "If-None-Match names it as it is", headers: { ETag: "Its ETag" } },
  },
  examples: { found: { reply: example } },
  problems: ["user_not_found"],
  handle: ({ context, params, principal }) =>
    withTag(jsonOf(context.control.reader, principal.workspaceId, params.id!)),
});

const change = defineEndpoint({
  method: "patch",
  path,
  operationId: "changeUser",
  scopes: ["admin"],
  tag,
  summary: "Change a user's role",
  description:
    "Pages of the console and tokens of the user allow what the new role does from the next request on. The last admin who is not disabled stays one.",
  isConditional: true,
  body: UserChange,
  replies: { 200: { description: "The user", schema: User, headers: { ETag: "For If-Match" } } },
  examples: { role: { body: { role: "researcher" }, reply: { ...example, role: "researcher" } } },
  problems: ["user_not_found", "last_admin", "user_without_account", "operators_only"],
  handle(request) {
    const { body, context, params, principal } = request;
    const { config, control } = context;
    const { workspaceId, workspaceUid } = principal;
    return whenFree(control.writer, config.writeWaitMs, () => {
      const { writer } = control;
      requireHere(writer, principal);
      requireMatch(request, jsonOf(writer, workspaceId, params.id!));
      const cause = causeOf(request);
      const record = (event: Parameters<typeof pendEvent>[3]) => pendEvent(writer, workspaceUid, cause, event);
      asProblem(() => changeRole(writer, record, workspaceId, params.id!, { role: body.role, by: "admin" }));
      return withTag(jsonOf(writer, workspaceId, params.id!));
    });
  },
});

export const userRoutes: AnyEndpoint[] = [list, read, change];
