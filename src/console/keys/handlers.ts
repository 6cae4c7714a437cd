// The page with the API keys of a workspace, where an admin issues, rotates and revokes them.

import { NotThere, Refused } from "../../access/faults.ts";
import { addKey, listKeys, OVERLAP_MS, revoke, rotate } from "../../access/keys.ts";
import { isCleanText } from "../../base/clean-text.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type ApiKeyRow, findApiKeyByUid } from "../../workspaces/queries.ts";
import { SCOPES, type Scope } from "../../workspaces/rights.ts";
import { changeAccess } from "../shell/access.ts";
import type { Faults } from "../shell/faults.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { type Issued, renderKeys, type TypedKey } from "./page.tsx";
import { renderKeyRevocation } from "./revocation-page.tsx";

const MAX_NAME_CHARACTERS = 200;
const DAY_MS = 24 * 3_600_000;

const NOTHING: TypedKey = { name: "", scopes: [], days: "" };

export const keyPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/keys", role: "admin", handle: (request) => keys(request, {}) },
  { method: "post", path: "/console/keys", role: "admin", handle: createKey },
  { method: "post", path: "/console/keys/signing", role: "admin", handle: makeSigningKey },
  { method: "post", path: "/console/keys/:id/rotate", role: "admin", handle: rotateKey },
  { method: "get", path: "/console/keys/:id/revoke", role: "admin", handle: askRevocation },
  { method: "post", path: "/console/keys/:id/revoke", role: "admin", handle: revokeKey },
];

async function keys(
  request: VisitorRequest,
  {
    typed = NOTHING,
    faults = {},
    issued,
    signingSecret,
  }: { typed?: TypedKey; faults?: Faults; issued?: Issued; signingSecret?: string },
): Promise<Reply> {
  const { base, calls, context, visitor } = request;
  const all = listKeys(context.control.reader, visitor.workspace_id);
  const status = Object.keys(faults).length ? 422 : 200;
  const signing = await calls.get("getSigningKey");
  const view = { keys: all, typed, faults, issued, uid: newId(), signing, signingSecret };
  return page(status, renderKeys(base, signedIn(request), view));
}

/** POST: makes the key that signs addresses, or another one. Of a form that is sent twice, the second one gets the same reply. */
async function makeSigningKey(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const { value } = await calls.send("rotateSigningKey", { headers: { "idempotency-key": fields("uid") || newId() } });
  return keys(request, { signingSecret: value.secret });
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

/** GET of the question whether a key is to be revoked. */
function askRevocation(request: VisitorRequest): Reply {
  return revocationPage(request, 200, {});
}

function revocationPage(
  request: VisitorRequest,
  status: number,
  { typed = "", fault }: { typed?: string; fault?: string },
): Reply {
  return page(status, renderKeyRevocation(request.base, signedIn(request), { key: keyOf(request), typed, fault }));
}

/** The key of the path, which is not revoked. @throws Problem */
function keyOf({ context, params, visitor }: VisitorRequest): ApiKeyRow {
  const key = findApiKeyByUid(context.control.reader, visitor.workspace_id, params.id!);
  if (!key || key.revoked_at !== null) throw new Problem("route_not_found");
  return key;
}

/** POST: revokes a key at once. Its name is typed in. */
async function revokeKey(request: VisitorRequest): Promise<Reply> {
  const { name } = keyOf(request);
  const typed = request.fields("confirm");
  if (typed.trim() !== name.trim()) return revocationPage(request, 422, { typed, fault: `Type ${name} to confirm.` });
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
