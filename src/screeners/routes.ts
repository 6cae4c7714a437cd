// /screeners

import { type AnyEndpoint, created, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { writeOnce } from "../http/once.ts";
import { newId } from "../ids.ts";
import { actorRow } from "../workspaces/actors.ts";
import { NewScreener, ScreenerChange } from "./input.ts";
import {
  findScreenerJson,
  getScreener,
  insertScreener,
  listScreeners,
  sliceScreeners,
  updateScreener,
} from "./queries.ts";
import { ScreenerView, screenerColumns } from "./view.ts";

const tag = "Screeners";

const list = defineEndpoint({
  method: "get",
  path: "/screeners",
  operationId: "listScreeners",
  tag,
  summary: "List screeners",
  filters: {},
  replies: { 200: { description: "One page, oldest first", schema: paginated("Screener", ScreenerView) } },
  problems: [],
  handle(request) {
    return replyWithList(request, {
      kind: "Screener",
      name: "screeners",
      page: (db, { filters, page }) => listScreeners(db, filters, page),
      slices: (db, { filters }) => sliceScreeners(db, filters),
      columns: screenerColumns,
    });
  },
});

const create = defineEndpoint({
  method: "post",
  path: "/screeners",
  operationId: "createScreener",
  tag,
  summary: "Create a screener",
  body: NewScreener,
  replies: { 201: { description: "The new screener", schema: ScreenerView, headers: { Location: "Where it is" } } },
  problems: [],
  handle(request) {
    const { title, description = null } = request.body;
    return writeOnce(request, (db) => {
      const uid = newId();
      const actor = actorRow(db, request.principal.actor);
      insertScreener(db, { uid, title, description, actor, now: new Date().toISOString() });
      return created(findScreenerJson(db, uid)!, `/screeners/${uid}`);
    });
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/screeners/:id",
  operationId: "getScreener",
  tag,
  summary: "Get a screener",
  replies: { 200: { description: "The screener", schema: ScreenerView } },
  problems: ["screener_not_found"],
  handle({ context, principal, params }) {
    const json = context.workspaces.read(principal.workspaceUid, (db) => findScreenerJson(db, params.id!));
    return ok(found(json, "screener_not_found"));
  },
});

const change = defineEndpoint({
  method: "patch",
  path: "/screeners/:id",
  operationId: "changeScreener",
  tag,
  summary: "Change a screener",
  description: "Send only what changes; null clears. A change of nothing leaves `updatedAt` alone.",
  body: ScreenerChange,
  replies: { 200: { description: "The screener as it is now", schema: ScreenerView } },
  problems: ["screener_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db) => {
      const screener = getScreener(db, params.id!);
      const { title = screener.title, description = screener.description } = body;
      const actor = actorRow(db, principal.actor);
      updateScreener(db, { id: screener.id, title, description, actor, now: new Date().toISOString() });
      return ok(findScreenerJson(db, screener.uid)!);
    });
  },
});

export const screenerRoutes: AnyEndpoint[] = [list, create, read, change];
