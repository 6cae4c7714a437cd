// What all lists share: how they are declared as endpoints, how they are answered, and the envelope around their items.

import * as v from "valibot";
import type { ListResult, Page } from "../../db/list.ts";
import type { List } from "../resource.ts";
import { count } from "../schemas.ts";
import { type ApiRequest, defineEndpoint, type Endpoint, type Reply } from "./endpoint.ts";
import { csvOf, ndjsonOf, type Source, streamed } from "./list-stream.ts";

const END = Buffer.from("]}");

type ListEndpoint = Pick<Endpoint, "path" | "operationId" | "tag" | "summary" | "description"> & {
  /** Oldest first, unless this says something else. */
  order?: string;
  problems?: Endpoint["problems"];
  /** The store that the list is in: the workspace's, unless this says another. */
  source?(request: ApiRequest): Source;
};

/** Defines GET of a list. `scopeOf` gives what the list needs to know beyond its query. */
export function defineList(list: List, endpoint: ListEndpoint): Endpoint;
export function defineList<Scope>(
  list: List<Scope>,
  endpoint: ListEndpoint,
  scopeOf: (request: ApiRequest) => Scope,
): Endpoint;
export function defineList<Scope>(
  list: List<Scope | undefined>,
  { order = "oldest first", problems = [], source = workspaceSource, ...endpoint }: ListEndpoint,
  scopeOf?: (request: ApiRequest) => Scope,
): Endpoint {
  return defineEndpoint({
    ...endpoint,
    method: "get",
    filters: list.filters,
    replies: { 200: { description: `One page, ${order}`, schema: paginated(list) } },
    problems,
    handle: (request) => replyWithList(request, list, scopeOf?.(request), source(request)),
  });
}

/** Answers with a page of the list, or with the whole of it: as the request wants it. */
function replyWithList<Scope>({ format, query }: ApiRequest, list: List<Scope>, scope: Scope, source: Source): Reply {
  if (format === "json") {
    return page(
      list.type,
      query.page,
      source.read((db) => list.page(db, query.filters, query.page, scope)),
    );
  }
  // The first look is taken here, so that what is wrong is answered with a problem, and not with half a list.
  const slices = source.read((db) => list.slices(db, query.filters, scope));
  return format === "ndjson"
    ? streamed(ndjsonOf(slices, source), "ndjson")
    : streamed(csvOf(slices, source, list.columns), "csv", list.name);
}

/** The request's workspace. */
export function workspaceSource({ context, principal }: ApiRequest): Source {
  return {
    read: (look) => context.workspaces.read(principal.workspaceUid, look),
    turn: () => context.turns.next(),
  };
}

/** 200 with one page. `type` is the resource's `_type`. */
function page(type: string, { offset, limit }: Page, { total, items }: ListResult): Reply {
  const begin = `{"_type":"Paginated${type}","total":${total},"limit":${limit},"offset":${offset},"items":[`;
  return { status: 200, body: Buffer.concat([Buffer.from(begin), items, END]) };
}

/** The envelope around a list's items. */
function paginated({ type, schema }: Pick<List, "type" | "schema">) {
  return v.object({
    _type: v.literal(`Paginated${type}`),
    total: v.pipe(count, v.description("Count of all matching items")),
    limit: v.pipe(count, v.maxValue(500), v.description("Effective page size, after clamping")),
    offset: count,
    items: v.array(schema),
  });
}
