// Answers for callers who must not get anybody's link: sessions' ids, slugs and links are replaced by references, whatever the
// endpoint. What they send back may name sessions by reference.

import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { BETWEEN_SUSPECTS, idOfReference, MAX_SUSPECT_CHARACTERS, withReferences } from "../base/references.ts";
import type { ApiRequest } from "./endpoint.ts";
import { MEDIA_TYPES } from "./wire/formats.ts";
import type { Reply } from "./wire/reply.ts";

/** How many characters are searched in one turn of the event loop. */
const PIECE_CHARACTERS = 64 * 1024;

/** A request in which sessions' ids replace references. */
export function withIds(request: ApiRequest): ApiRequest {
  const { context, principal, params, query } = request;
  return context.workspaces.read(principal.workspaceUid, (db) => {
    const filters = query.filters.map((filter) => ({
      ...filter,
      // The filter handles references itself.
      values: filter.by.stored ? filter.values : filter.values.map((value) => idOfReference(db, value)),
    }));
    const ids = Object.entries(params).map(([name, value]) => [name, idOfReference(db, value)]);
    return { ...request, params: Object.fromEntries(ids), query: { ...query, filters } };
  });
}

/** A reply in which references replace sessions' ids, slugs and links. Files of Excel and SPSS are already written with references. */
export async function withoutLinks({ context, principal }: ApiRequest, reply: Reply): Promise<Reply> {
  if (reply.type === MEDIA_TYPES.xlsx || reply.type === MEDIA_TYPES.spss) return reply;
  const hide = (text: string) => context.workspaces.read(principal.workspaceUid, (db) => withReferences(db, text));
  const headers = reply.headers && JSON.parse(hide(JSON.stringify(reply.headers)));
  const isStream = reply.body instanceof Readable;
  const source = isStream ? (reply.body as Readable) : [reply.body as string | Buffer];
  const pieces = piecesOf(source, hide);
  if (isStream) return { ...reply, headers, body: Readable.from(pieces, { objectMode: false }) };
  let body = "";
  for await (const piece of pieces) body += piece;
  return { ...reply, headers, body };
}

/** The text of a body without links, piece by piece. No piece ends within a possible link. */
async function* piecesOf(
  source: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
  hide: (text: string) => string,
): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  let rest = "";
  for await (const chunk of source) {
    rest += typeof chunk === "string" ? chunk : decoder.write(chunk);
    while (rest.length > PIECE_CHARACTERS) {
      const end = endOfPiece(rest);
      yield hide(rest.slice(0, end));
      rest = rest.slice(end);
      await nextTurn();
    }
  }
  yield hide(rest + decoder.end());
}

/** The end of a piece: between two possible links, if there is such a position near the limit. */
function endOfPiece(text: string): number {
  for (let at = PIECE_CHARACTERS; at > PIECE_CHARACTERS - MAX_SUSPECT_CHARACTERS; at--)
    if (BETWEEN_SUSPECTS.test(text[at]!)) return at;
  return PIECE_CHARACTERS;
}
