// /workspace/signing-key: the key with which addresses are signed, to other sites and from them.

import { randomBytes } from "node:crypto";
import { type AnyEndpoint, defineEndpoint, ok } from "../../http/endpoint.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { findSigningKey, setSigningKey } from "./queries.ts";
import { NewSigningKeyView, SigningKeyRotation, SigningKeyView, signingKeyExample, viewOf } from "./resource.ts";

const tag = "Workspace";
const path = "/workspace/signing-key";
const HOUR_MS = 3_600_000;
const PREFIX = "sign_";
const SECRET_BYTES = 32;

const read = defineEndpoint({
  method: "get",
  path,
  operationId: "getSigningKey",
  scopes: ["admin"],
  tag,
  summary: "Get the key that signs addresses",
  description: "Without its secret. `createdAt` is null where there is no key yet.",
  replies: { 200: { description: "The key", schema: SigningKeyView } },
  examples: { key: { reply: signingKeyExample } },
  problems: [],
  handle({ context, principal }) {
    const view = context.workspaces.read(principal.workspaceUid, (db) => viewOf(findSigningKey(db), new Date()));
    return ok(JSON.stringify(view));
  },
});

const rotate = defineEndpoint({
  method: "post",
  path: "/workspace/signing-key/rotate",
  operationId: "rotateSigningKey",
  scopes: ["admin"],
  tag,
  summary: "Make the key that signs addresses, or another one",
  description:
    "The secret is shown only here. For `overlapHours` (default 24; 0: the former secret counts no more) redirects have two signatures, and links " +
    "take either.",
  body: SigningKeyRotation,
  bodyIsOptional: true,
  replies: { 200: { description: "The key, with its new secret", schema: NewSigningKeyView } },
  examples: {
    first: {
      body: { overlapHours: 24 },
      reply: { ...signingKeyExample, secret: "sign_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwM2dP8C1rF4E" },
    },
  },
  problems: [],
  handle(request) {
    const { overlapHours } = request.body;
    return writeOnce(request, (db, record) => {
      const at = new Date();
      const former = findSigningKey(db);
      const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
      const previousUntil = former && overlapHours ? at.getTime() + overlapHours * HOUR_MS : null;
      setSigningKey(db, { secret, at: at.toISOString(), previousUntil });
      record({
        type: "workspace.updated",
        resource: { type: "Workspace", uid: request.principal.workspaceUid },
        changes: [{ field: "signingKey", from: former?.created_at ?? null, to: at.toISOString() }],
        at,
      });
      return ok(JSON.stringify({ ...viewOf(findSigningKey(db), at), secret }));
    });
  },
});

export const signingKeyRoutes: AnyEndpoint[] = [read, rotate];
