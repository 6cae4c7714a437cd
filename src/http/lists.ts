// What all lists share: the envelope, as bytes and as a schema.

import * as v from "valibot";
import type { ListResult, Page } from "../../db/list.ts";
import { count } from "../schemas.ts";
import type { Reply } from "./endpoint.ts";

const END = Buffer.from("]}");

/** 200 with one page. `kind` is the resource's `_type`. */
export function page(kind: string, { offset, limit }: Page, { total, items }: ListResult): Reply {
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
