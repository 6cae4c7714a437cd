// What all lists share: their endpoint, their reply, and the envelope around their items.

import * as v from "valibot";
import type { ListResult } from "../../db/list/items.ts";
import type { Page } from "../../db/list/ranges.ts";
import { isSearch } from "../../db/list/searched.ts";
import { invalidRequest } from "../base/problems.ts";
import type { List } from "../base/resource.ts";
import { count } from "../base/schemas.ts";
import type { DownloadedData } from "../events/types.ts";
import { downloadOf } from "./downloads.ts";
import { type ApiRequest, defineEndpoint, type Endpoint, type Reply } from "./endpoint.ts";
import { DEFAULT_LIMIT, type ListQuery, MAX_LIMIT } from "./list-query.ts";
import { csvOf, ndjsonOf, type Source, streamed } from "./list-stream.ts";
import { MEDIA_TYPES, type ReplyFormat } from "./wire/formats.ts";

const END = Buffer.from("]}");

type ListEndpoint = Pick<Endpoint, "path" | "operationId" | "tag" | "summary" | "description" | "parameters"> & {
  /** The order of the list. Default: oldest first. */
  order?: string;
  problems?: Endpoint["problems"];
  /** Default: `read`. */
  scopes?: Endpoint["scopes"];
  /** The store of the list. Default: the workspace store. */
  source?(request: ApiRequest): Source;
  /** What it has of people: a file of the whole list leaves an event, and so do many rows of pages. null: nothing, or only the log of what was done */
  downloads: DownloadedData | null;
};

/** Defines GET of a list. `scopeOf` gives the values that the list's SQL needs beyond the query. */
export function defineList(list: List, endpoint: ListEndpoint): Endpoint;
export function defineList<Scope>(
  list: List<Scope>,
  endpoint: ListEndpoint,
  scopeOf: (request: ApiRequest) => Scope,
): Endpoint;
export function defineList<Scope>(
  list: List<Scope | undefined>,
  {
    order = "oldest first",
    problems = [],
    scopes = ["read"],
    source = workspaceSource,
    downloads: data,
    ...endpoint
  }: ListEndpoint,
  scopeOf?: (request: ApiRequest) => Scope,
): Endpoint {
  return defineEndpoint({
    ...endpoint,
    method: "get",
    scopes,
    filters: list.filters,
    ...(list.sorts && { sorts: list.sorts }),
    replies: { 200: { description: `One page, ${order}; or the whole list`, schema: paginated(list) } },
    examples: {
      page: {
        reply: { _type: `Paginated${list.type}`, total: 1, limit: DEFAULT_LIMIT, offset: 0, items: [list.example] },
      },
    },
    problems,
    handle(request) {
      const recorded = data === null ? undefined : downloadOf(request, { data, rules: list.filters });
      return replyWithList(request, list, scopeOf?.(request), { ...source(request), ...recorded });
    },
  });
}

/** Replies with a page as JSON, or with the whole list as CSV or NDJSON. */
function replyWithList<Scope>(
  { format, query, context, principal }: ApiRequest,
  list: List<Scope>,
  scope: Scope,
  source: Source,
): Reply | Promise<Reply> {
  requireSortable(list, query, format);
  if (format === "json") {
    const reply = (result: ListResult) => {
      source.shown?.(rowsOf(query.page, result));
      return page(list.type, query.page, result);
    };
    const longRead = source.read((db) => list.longRead?.(db, query.filters, query.page, scope, query.sort));
    if (longRead) {
      const { workspaceUid } = principal;
      const read = () => context.readLongPage(workspaceUid, { ...longRead, file: source.file });
      return context.turns.inThread(workspaceUid, read).then(reply);
    }
    return reply(source.read((db) => list.page(db, query.filters, query.page, scope, query.sort)));
  }
  // The first read happens before the status is sent. If it fails, the client gets a problem instead of half a list.
  const slices = source.read((db) => list.slices(db, query.filters, scope, query.sort));
  return format === "ndjson"
    ? streamed(ndjsonOf(slices, source), "ndjson")
    : streamed(csvOf(slices, source, source.read(list.columns)), "csv", list.name);
}

/** @throws Problem 400 for a sort with a format or a filter that has an order of its own */
function requireSortable<Scope>({ sortsPages }: List<Scope>, { sort, filters }: ListQuery, format: ReplyFormat): void {
  if (sort === undefined || !sortsPages) return;
  const complain = (other: string) => invalidRequest([{ pointer: "sort", message: `does not go with ${other}` }]);
  if (format !== "json") throw complain(`${MEDIA_TYPES[format]}, which has the whole list, oldest first`);
  if (filters.some(isSearch)) throw complain("filter[search], whose result is oldest first");
}

/** The turns of the request's workspace. */
export function turnsOf({
  context,
  principal,
}: Pick<ApiRequest, "context" | "principal">): Omit<Source, "file" | "read"> {
  return {
    turn: () => context.turns.next(principal.workspaceUid),
    measure: (step) => context.turns.measure(principal.workspaceUid, step),
  };
}

/** The store of the request's workspace. */
export function workspaceSource({ context, principal }: ApiRequest): Source {
  return {
    read: (readFrom) => context.workspaces.read(principal.workspaceUid, readFrom),
    ...turnsOf({ context, principal }),
  };
}

/** How many rows a page has. */
function rowsOf({ offset, limit }: Page, { total, rows = total - offset }: ListResult): number {
  return Math.max(0, Math.min(limit, rows));
}

/** 200 with one list page. `type` is the resource's `_type`. */
function page(type: string, { offset, limit }: Page, { total, items }: ListResult): Reply {
  const begin = `{"_type":"Paginated${type}","total":${total},"limit":${limit},"offset":${offset},"items":[`;
  return { status: 200, body: Buffer.concat([Buffer.from(begin), items, END]) };
}

/** The envelope around a list's items. */
function paginated({ type, schema }: Pick<List, "type" | "schema">) {
  return v.pipe(
    v.object({
      _type: v.literal(`Paginated${type}`),
      total: v.pipe(count, v.description("The number of all matching items")),
      limit: v.pipe(count, v.maxValue(MAX_LIMIT), v.description("The page size in use, at most the maximum")),
      offset: count,
      items: v.array(schema),
    }),
    v.title(`Paginated${type}`),
  );
}
