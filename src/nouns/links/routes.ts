// /screener-links: links that are open to everybody.

import { randomInt } from "node:crypto";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { exampleIds } from "../../base/examples.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { actorRow } from "../../events/actors.ts";
import { changesBetween } from "../../events/record.ts";
import {
  type AnyEndpoint,
  besideStored,
  created,
  defineEndpoint,
  ok,
  requireMatch,
  withTag,
} from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { getScreener } from "../screeners/queries.ts";
import { appUrlOf } from "../sessions/resource.ts";
import { requireSigningKey } from "../signing-keys/queries.ts";
import {
  areFramed,
  countLinks,
  findLink,
  getLink,
  insertLink,
  type LinkValues,
  revokeLink,
  updateLink,
} from "./queries.ts";
import { LinkChange, link, linkList, MAX_LINKS, NewLink } from "./resource.ts";
import { changed, FRESH, faultsOf } from "./settings.ts";

const tag = "Links";

const list = defineList(
  linkList,
  {
    path: "/screener-links",
    operationId: "listScreenerLinks",
    tag,
    summary: "List open links",
    downloads: null,
    description: "Revoked ones, too.",
  },
  appUrlOf,
);

const create = defineEndpoint({
  method: "post",
  path: "/screener-links",
  operationId: "createScreenerLink",
  scopes: ["author"],
  tag,
  summary: "Create an open link",
  description:
    "Whoever opens `link` is shown the first page of the screener's active publication, and is nobody until it is sent. Then a participant with an " +
    "`externalUid` of the service, a screener participant and a session exist, and the browser goes on at the session's own link. " +
    "`ask`: what is asked beside the first page; `required`: it must be said. An email that is typed is not confirmed: it is kept with the session, and is " +
    "no email of the participant. `limit`: how many may join. `attributes` are those of everybody who joins; `accept` names query parameters " +
    "of the link that become attributes. `confirmEmail`: nobody joins before the email is confirmed by a link that is mailed there; `oneEach: EMAIL` " +
    "is so. `oneEach: BROWSER` sets a cookie, with which the same browser goes on where it was. " +
    "`requireSignature`: nobody joins whose address is not signed with the workspace's key.",
  body: NewLink,
  together: (_, settings, wrong) => faultsOf(FRESH, settings, wrong),
  replies: {
    201: { description: "The new link", schema: link.schema, headers: { Location: "Its path", ETag: "For If-Match" } },
  },
  examples: {
    poster: {
      body: {
        screenerId: exampleIds.screener,
        name: link.example.name,
        ask: link.example.ask,
        limit: link.example.limit,
        closesAt: link.example.closesAt,
        attributes: link.example.attributes,
        accept: link.example.accept,
        oneEach: link.example.oneEach,
      },
      reply: { ...link.example, joined: 0, started: 0, completed: 0 },
    },
  },
  problems: [
    "screener_not_found",
    "mail_not_configured",
    "screener_link_limit",
    "embedding_conflict",
    "signing_key_missing",
  ],
  handle(request) {
    const { screenerId, ...settings } = request.body;
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      const screener = getScreener(db, screenerId);
      const values = changed(FRESH, settings, request.context.mail !== undefined);
      requireCookies(db, values);
      if (values.requires_signature) requireSigningKey(db);
      if (countLinks(db, screener.id) >= MAX_LINKS)
        throw new Problem("screener_link_limit", { detail: `A screener has at most ${MAX_LINKS} open links.` });
      const uid = newId();
      const at = new Date();
      const actor = actorRow(db, request.principal.actor);
      insertLink(db, { uid, screenerId: screener.id, token: newToken(), ...values, actor, now: at.toISOString() });
      const json = link.find(db, uid, url)!;
      record({
        type: "screener-link.created",
        resource: resourceOf(uid),
        changes: changesBetween(null, unlinked(json)),
        at,
      });
      return created(json, `/screener-links/${uid}`, json);
    });
  },
});

const read = defineRead(
  link,
  {
    path: "/screener-links/:id",
    operationId: "getScreenerLink",
    tag,
    summary: "Get an open link",
    reply: "The link",
    unknown: "screener_link_not_found",
  },
  appUrlOf,
);

const change = defineEndpoint({
  method: "patch",
  path: "/screener-links/:id",
  operationId: "changeScreenerLink",
  scopes: ["author"],
  tag,
  summary: "Change an open link",
  description:
    "Send only the members to change. Null clears `limit`, `opensAt` and `closesAt`; `attributes` and `accept` are replaced as a whole. " +
    "Those who have joined keep what they have.",
  body: LinkChange,
  together: besideStored(findLink, faultsOf),
  isConditional: true,
  replies: { 200: { description: "The link as it is now", schema: link.schema, headers: { ETag: "For If-Match" } } },
  examples: { limit: { body: { limit: 300 }, reply: { ...link.example, limit: 300 } } },
  problems: [
    "screener_link_not_found",
    "screener_link_revoked",
    "mail_not_configured",
    "embedding_conflict",
    "signing_key_missing",
  ],
  handle(request) {
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      const current = getLink(db, request.params.id!);
      const before = link.find(db, current.uid, url)!;
      requireMatch(request, before);
      if (current.status === "REVOKED") throw new Problem("screener_link_revoked");
      const values = changed(current, request.body, request.context.mail !== undefined);
      requireCookies(db, values);
      if (values.requires_signature) requireSigningKey(db);
      const at = new Date();
      const actor = actorRow(db, request.principal.actor);
      updateLink(db, { id: current.id, ...values, actor, now: at.toISOString() });
      const after = link.find(db, current.uid, url)!;
      const changes = changesBetween(unlinked(before), unlinked(after));
      if (changes.length) record({ type: "screener-link.updated", resource: resourceOf(current.uid), changes, at });
      return withTag(after);
    });
  },
});

const revoke = defineEndpoint({
  method: "delete",
  path: "/screener-links/:id",
  operationId: "revokeScreenerLink",
  scopes: ["author"],
  tag,
  summary: "Revoke an open link",
  description:
    "Nobody can join by it any more. It stays in the list, as `REVOKED`. Those who have joined go on by their own links.",
  replies: { 200: { description: "The link as it is now", schema: link.schema } },
  examples: { link: { reply: { ...link.example, status: "REVOKED" } } },
  problems: ["screener_link_not_found"],
  handle(request) {
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      const current = getLink(db, request.params.id!);
      if (current.status !== "REVOKED") {
        const at = new Date();
        revokeLink(db, current.id, actorRow(db, request.principal.actor), at.toISOString());
        const changes = [{ field: "status", from: "OPEN", to: "REVOKED" }];
        record({ type: "screener-link.revoked", resource: resourceOf(current.uid), changes, at });
      }
      return ok(link.find(db, current.uid, url)!);
    });
  },
});

export const linkRoutes: AnyEndpoint[] = [list, create, read, change, revoke];

const resourceOf = (uid: string) => ({ type: link.type, uid });

/** A link without its address, which depends on where the service is, and without what others make of it. */
function unlinked(json: string): string {
  const { link: _, status: __, joined: ___, started: ____, completed: _____, ...rest } = JSON.parse(json);
  return JSON.stringify(rest);
}

/** @throws Problem embedding_conflict where the link needs a cookie, and pages may be shown in frames, which have none */
function requireCookies(db: Reader, { one_each }: LinkValues): void {
  if (one_each === "BROWSER" && areFramed(db))
    throw new Problem("embedding_conflict", {
      detail:
        "oneEach BROWSER sets a cookie, which pages in frames can't, and the workspace's frameAncestors let sites show them in frames.",
    });
}

/** 16 letters and digits that nobody takes for others: about 79 bits. They can be read out, and typed from a poster. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const TOKEN_LENGTH = 16;

function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
