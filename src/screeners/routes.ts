// /screeners.

import { type AnyEndpoint, created, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { newId } from "../ids.ts";
import { invalidRequest } from "../problems.ts";
import { actorRow } from "../workspaces/actors.ts";
import { writeOnce } from "../writes/write-once.ts";
import { getScreener, insertScreener, updateScreener } from "./queries.ts";
import { AFTER_OPENING, isInOrder, NewScreener, ScreenerChange, screener, screenerList } from "./resource.ts";

const tag = "Screeners";

const list = defineList(screenerList, {
  path: "/screeners",
  operationId: "listScreeners",
  tag,
  summary: "List screeners",
});

const create = defineEndpoint({
  method: "post",
  path: "/screeners",
  operationId: "createScreener",
  scopes: ["admin"],
  tag,
  summary: "Create a screener",
  description: "It has no content and no publication yet.",
  body: NewScreener,
  replies: { 201: { description: "The new screener", schema: screener.schema, headers: { Location: "Its path" } } },
  examples: {
    screener: {
      body: { title: "Hot drinks", description: "Adults who drink tea or coffee" },
      reply: { ...screener.example, activePublicationId: null },
    },
  },
  problems: [],
  handle(request) {
    const { title, description = null, acceptance = "OPEN", opensAt = null, closesAt = null } = request.body;
    return writeOnce(request, (db) => {
      const uid = newId();
      const actor = actorRow(db, request.principal.actor);
      const now = new Date().toISOString();
      insertScreener(db, { uid, title, description, acceptance, opens_at: opensAt, closes_at: closesAt, actor, now });
      return created(screener.find(db, uid)!, `/screeners/${uid}`);
    });
  },
});

const read = defineRead(screener, {
  path: "/screeners/:id",
  operationId: "getScreener",
  tag,
  summary: "Get a screener",
  reply: "The screener",
  unknown: "screener_not_found",
});

const change = defineEndpoint({
  method: "patch",
  path: "/screeners/:id",
  operationId: "changeScreener",
  scopes: ["admin"],
  tag,
  summary: "Change a screener",
  description:
    "Send only the members to change. Null clears a member. If nothing changes, `updatedAt` stays. A screener that is PAUSED or " +
    "CLOSED, before `opensAt` or from `closesAt` on, takes no answers and opens no sessions. Sessions go on where they were when it " +
    "opens again.",
  body: ScreenerChange,
  replies: { 200: { description: "The screener as it is now", schema: screener.schema } },
  examples: { clear: { body: { description: null }, reply: { ...screener.example, description: null } } },
  problems: ["screener_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db) => {
      const current = getScreener(db, params.id!);
      const { title = current.title, description = current.description, acceptance = current.acceptance } = body;
      const { opensAt = current.opens_at, closesAt = current.closes_at } = body;
      // One of them may be the stored one.
      if (!isInOrder({ opensAt, closesAt })) {
        const [pointer, message] = body.closesAt
          ? ["/closesAt", AFTER_OPENING]
          : ["/opensAt", "must be before closesAt"];
        throw invalidRequest([{ pointer, message }]);
      }
      const actor = actorRow(db, principal.actor);
      const now = new Date().toISOString();
      const values = { title, description, acceptance, opens_at: opensAt, closes_at: closesAt };
      updateScreener(db, { id: current.id, ...values, actor, now });
      return ok(screener.find(db, current.uid)!);
    });
  },
});

export const screenerRoutes: AnyEndpoint[] = [list, create, read, change];
