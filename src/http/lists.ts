// What all lists share: how they are answered, the envelope as bytes and as a schema.

import * as v from "valibot";
import type { Reader } from "../../db/connection.ts";
import type { ListResult, Page } from "../../db/list.ts";
import type { Slices } from "../../db/list-slices.ts";
import { count } from "../schemas.ts";
import type { ApiRequest, Reply } from "./endpoint.ts";
import type { ListQuery } from "./list-query.ts";
import { type Cells, csvOf, type Lend, ndjsonOf, streamed } from "./list-stream.ts";

const END = Buffer.from("]}");

/** A list, in all the ways in which it is read. */
export interface Listing {
  /** The resource's `_type`. */
  kind: string;
  /** What the file is called, without date and ending. */
  name: string;
  page(db: Reader, query: ListQuery): ListResult;
  /** The whole of it. */
  slices(db: Reader, query: ListQuery): Slices;
  /** CSV's columns: paths in an item. Their order is for ever. */
  columns: readonly string[];
  /** Cells of columns that are made from the whole item. */
  cells?: Cells;
}

/** Answers with a page of the list, or with the whole of it: as the request wants it. */
export function replyWithList(request: ApiRequest, listing: Listing, lend: Lend = lendWorkspace(request)): Reply {
  const { format, query } = request;
  const { kind, name, columns, cells } = listing;
  if (format === "json") {
    return page(
      kind,
      query.page,
      lend((db) => listing.page(db, query)),
    );
  }
  // The first look is taken here, so that what is wrong is answered with a problem, and not with half a list.
  const slices = lend((db) => listing.slices(db, query));
  return format === "ndjson"
    ? streamed(ndjsonOf(slices, lend), "ndjson")
    : streamed(csvOf(slices, lend, columns, cells), "csv", name);
}

/** Lends the request's workspace. */
export function lendWorkspace({ context, principal }: ApiRequest): Lend {
  return (read) => context.workspaces.read(principal.workspaceUid, read);
}

/** 200 with one page. `kind` is the resource's `_type`. */
function page(kind: string, { offset, limit }: Page, { total, items }: ListResult): Reply {
  const begin = `{"_type":"Paginated${kind}","total":${total},"limit":${limit},"offset":${offset},"items":[`;
  return { status: 200, body: Buffer.concat([Buffer.from(begin), items, END]) };
}

/** The envelope around a list's items. */
export function paginated<Schema extends v.GenericSchema>(kind: string, item: Schema) {
  return v.object({
    _type: v.literal(`Paginated${kind}`),
    total: v.pipe(count, v.description("Count of all matching items")),
    limit: v.pipe(count, v.maxValue(500), v.description("Effective page size, after clamping")),
    offset: count,
    items: v.array(item),
  });
}
