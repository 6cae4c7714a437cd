// The page with the API keys of a workspace, where an admin issues, rotates and revokes them.

import { NotThere, Refused } from "../access/faults.ts";
import { addKey, listKeys, OVERLAP_MS, revoke, rotate } from "../access/keys.ts";
import type { Reply } from "../http/reply.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problems.ts";
import { isCleanText } from "../text.ts";
import { SCOPES, type Scope } from "../workspaces/credentials.ts";
import { changeAccess } from "./access.ts";
import type { Faults } from "./faults.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "./request.ts";
import { type Issued, renderKeys, type TypedKey } from "./view/keys-page.tsx";

const MAX_NAME_CHARACTERS = 200;
const DAY_MS = 24 * 3_600_000;

const NOTHING: TypedKey = { name: "", scopes: [], days: "" };

export const keyPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/keys", role: "admin", handle: (request) => keys(request, {}) },
  { method: "post", path: "/console/keys", role: "admin", handle: createKey },
  { method: "post", path: "/console/keys/:id/rotate", role: "admin", handle: rotateKey },
  { method: "post", path: "/console/keys/:id/revoke", role: "admin", handle: revokeKey },
];

function keys(
  request: VisitorRequest,
  { typed = NOTHING, faults = {}, issued }: { typed?: TypedKey; faults?: Faults; issued?: Issued },
): Reply {
  const { base, context, visitor } = request;
  const all = listKeys(context.control.reader, visitor.workspace_id);
  const status = Object.keys(faults).length ? 422 : 200;
  return page(status, renderKeys(base, signedIn(request), { keys: all, typed, faults, issued, uid: newId() }));
}

/** POST: issues a key. The page shows the secret: it is nowhere else. */
async function createKey(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const typed = { name: fields("name").trim(), scopes: fields.all("scopes"), days: fields("days").trim() };
  const scopes = typed.scopes.filter((name): name is Scope => SCOPES.some((scope) => scope === name));
  const faults: Faults = {};
  if (!typed.name || typed.name.length > MAX_NAME_CHARACTERS || !isCleanText(typed.name))
    faults.name = `must have 1 to ${MAX_NAME_CHARACTERS} characters`;
  if (!scopes.length) faults.scopes = "must have at least one choice";
  if (typed.days && !/^[1-9]\d{0,4}$/.test(typed.days)) faults.days = "must be a whole number of at least 1, or empty";
  // Of a form that is sent twice, the second one finds the key.
  if (!/^[0-9a-f-]{36}$/.test(fields("uid"))) faults[""] = "The form is too old: send this one.";
  if (Object.keys(faults).length) return keys(request, { typed, faults });
  const expiresAt = typed.days ? Date.now() + Number(typed.days) * DAY_MS : null;
  const issued = await changed(request, (db, record, workspaceId) =>
    addKey(db, record, workspaceId, { uid: fields("uid"), name: typed.name, expiresAt, scopes }),
  );
  if (typeof issued === "string") return keys(request, { faults: { "": issued } });
  return keys(request, { issued: { ...issued, name: typed.name } });
}

/** POST: gives a key another secret. The old one works for another day. */
async function rotateKey(request: VisitorRequest): Promise<Reply> {
  const newest = Number(request.fields("newest"));
  const rotated = await changed(request, (db, record, workspaceId) =>
    rotate(db, record, workspaceId, request.params.id!, OVERLAP_MS, newest),
  );
  if (typeof rotated === "string") return keys(request, { faults: { "": rotated } });
  const { key, apiSecret } = rotated;
  return keys(request, { issued: { name: key.name, apiKey: key.api_key, apiSecret } });
}

/** POST: revokes a key at once. */
async function revokeKey(request: VisitorRequest): Promise<Reply> {
  await changed(request, (db, record, workspaceId) => revoke(db, record, workspaceId, request.params.id!));
  return redirect(`${request.base}/console/keys`);
}

/** @returns why it is refused, if it is */
async function changed<T>(request: VisitorRequest, change: Parameters<typeof changeAccess<T>>[1]): Promise<T | string> {
  try {
    return await changeAccess(request, change);
  } catch (error) {
    if (error instanceof NotThere) throw new Problem("route_not_found");
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
