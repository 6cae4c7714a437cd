// The rows of a job: whom it concerns, and what changes.

import type { JobRow } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { listNamed } from "../../nouns/sessions/queries.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { OUTCOMES, type Outcome } from "./effects.tsx";
import { orUndefined } from "./jobs.ts";
import { PUBLICATION, renderRows } from "./rows-page.tsx";

const ROWS_PER_PAGE = 50;

/** GET of a job's rows with one outcome. */
export async function showRows(request: VisitorRequest): Promise<Reply> {
  const { base, calls, context, params, query, visitor } = request;
  const id = params.id!;
  const outcome = outcomeOf(query);
  const job = await calls.get("getJob", { id });
  const rows = `pagination[limit]=${ROWS_PER_PAGE}&pagination[offset]=${offsetOf(query, ROWS_PER_PAGE)}&filter[outcome][eq]=${outcome}`;
  const { items, total, limit, offset } = await calls.get("listJobRows", { id, query: rows });
  const curl = calls.curl("listJobRows", { id, query: rows });
  const ids = items.flatMap(({ sessionId }) => sessionId ?? []);
  const sessions = context.workspaces.read(visitor.workspace_uid, (db) => listNamed(db, ids));
  const versions = await versionsIn(request, items);
  const view = { job, outcome, rows: items, sessions, versions, total, limit, offset, curl };
  return page(200, renderRows(base, signedIn(request), view));
}

/** The versions of the publications that the changes of rows name, by their ids. */
async function versionsIn({ calls }: VisitorRequest, rows: readonly JobRow[]): Promise<Map<unknown, number>> {
  const changes = rows.flatMap((row) => row.changes).filter(({ field }) => field === PUBLICATION);
  const versions = new Map<unknown, number>();
  for (const id of new Set(changes.flatMap(({ from, to }) => [from, to]))) {
    const publication = await orUndefined(calls.get("getScreenerPublication", { id: String(id) }));
    if (publication) versions.set(id, publication.version);
  }
  return versions;
}

/** GET of the same rows as a CSV. */
export async function sendRows({ calls, params, query }: VisitorRequest): Promise<Reply> {
  const filter = `filter[outcome][eq]=${outcomeOf(query)}`;
  return calls.reply("listJobRows", { id: params.id!, query: filter }, "csv");
}

function outcomeOf(query: URLSearchParams): Outcome {
  return OUTCOMES.find((one) => one === query.get("outcome")) ?? OUTCOMES[0];
}
