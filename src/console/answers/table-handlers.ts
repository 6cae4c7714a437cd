// The table of the answers to a study: columns and filters are in its address.

import { Problem, type ProblemDetail } from "../../base/problems.ts";
import { withReferences } from "../../base/references.ts";
import type { Screener, ScreenerAnswerColumn } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { instantIn } from "../../nouns/screeners/time-zones.ts";
import {
  type AskedFilter,
  type AskedTable,
  addressOf,
  askedIn,
  queryOf,
  ROWS_PER_PAGE,
  valuesIn,
} from "../filters/asked.ts";
import { type FilterField, fieldsOfColumns, fieldsOfSessions, operatorFor } from "../filters/filter-words.ts";
import { namesOf } from "../filters/names.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderAnswers } from "./page.tsx";
import { countWithdrawn } from "./withdrawn-handlers.ts";

/** Those that are shown where none are chosen, beside the first questions. */
const FIRST = ["participant.name", "participant.email", "session.startedAt", "session.outcome"];
const FIRST_QUESTIONS = 4;

/** What each row begins with: it leads to the session. */
const WHO = "participant.externalUid";

/** GET of the table; with `file`, of the same as a file; with `field`, of the address with one more filter. */
export async function showAnswers(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query, base } = request;
  const id = params.id!;
  const { frame, screener } = await studyFrame(request);
  const asked = askedIn(query);
  const { items: columns } = await calls.get("listScreenerAnswerColumns", { id });
  const looksForSignals = Object.values(screener.signals).some((setting) => setting !== null);
  const wanted = asked.texts ? [asked.texts] : (asked.columns ?? firstOf(columns, frame.hasReviews, looksForSignals));
  const shown = [WHO, ...wanted.filter((column) => column !== WHO)];
  const fields = [...fieldsOfColumns(columns), ...fieldsOfSessions(await namesOf(request))];
  const path = `${base}/console/studies/${id}/answers`;
  const withdrawn = await countWithdrawn(request);
  const about = { timeZone: screener.timeZone, withdrawn };
  const view = { asked, shown, columns, fields, path, ...about, adding: query.get("add") ?? "" };
  const added = query.has("field") ? addedIn(query, fields, screener) : undefined;
  if (added && !added.values.length) {
    const errors = [{ pointer: "", message: "Choose a value for the filter." }];
    return replyWith(request, { ...view, adding: added.field, added, errors });
  }
  if (added) {
    const next = { ...asked, filters: [...asked.filters.filter((one) => !isSame(one, added)), added], offset: 0 };
    const read = await tableOf(request, next, shown, 1);
    if ("table" in read) return redirect(addressOf(path, next));
    return replyWith(request, { ...view, adding: added.field, added, errors: read.errors });
  }
  const file = query.get("file");
  if (file === "csv" || file === "xlsx") {
    try {
      return await calls.reply("listScreenerAnswers", { id, query: queryOf(asked, shown) }, file);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "export_too_large") throw error;
      const message = "The file of Excel would be too large: filter, or choose CSV.";
      return replyWith(request, { ...view, errors: [{ pointer: "", message }] });
    }
  }
  return replyWith(request, { ...view, errors: [] });

  async function replyWith(of: VisitorRequest, more: Omit<Parameters<typeof renderAnswers>[1], "table" | "curl">) {
    const read = await tableOf(of, asked, shown, ROWS_PER_PAGE);
    const errors = [...more.errors, ...("errors" in read ? read.errors : [])];
    const table = "table" in read ? read.table : undefined;
    const curl = calls.curl("listScreenerAnswers", { id, query: queryOf(asked, shown, ROWS_PER_PAGE) });
    return page(errors.length ? 400 : 200, renderAnswers(frame, { ...more, errors, table, curl }));
  }
}

/** Whether one takes the place of the other: with one value or several. */
function isSame(one: AskedFilter, other: AskedFilter): boolean {
  const listed = ({ operator }: AskedFilter) => operatorFor(operator, [1, 2]);
  return one.field === other.field && listed(one) === listed(other);
}

/** A page of the table, or what is wrong with its query. */
async function tableOf(
  { calls, context, params, visitor }: VisitorRequest,
  asked: AskedTable,
  columns: string[],
  limit: number,
) {
  const call = { id: params.id!, query: queryOf(asked, columns, limit) };
  try {
    const read = await calls.get("listScreenerAnswers", call);
    // Addresses are in logs and histories: none has the id of a session.
    const items = context.workspaces.read(visitor.workspace_uid, (db) =>
      read.items.map((item) => ({ ...item, screenerSessionId: withReferences(db, item.screenerSessionId) })),
    );
    return { table: { ...read, items } };
  } catch (error) {
    if (!(error instanceof Problem) || !error.document.errors) throw error;
    return { errors: error.document.errors as ProblemDetail[] };
  }
}

function firstOf(columns: readonly ScreenerAnswerColumn[], hasReviews: boolean, looksForSignals: boolean): string[] {
  const questions = columns.filter(({ column }) => /^answers\.[^.]+$/.test(column));
  return [
    ...FIRST,
    ...(hasReviews ? ["session.review"] : []),
    ...(looksForSignals ? ["session.signals"] : []),
    ...questions.slice(0, FIRST_QUESTIONS).map(({ column }) => column),
  ];
}

/** The filter that a form adds. */
function addedIn(query: URLSearchParams, fields: readonly FilterField[], { timeZone }: Screener): AskedFilter {
  const field = query.get("field") ?? "";
  const [operator = "", fixed] = (query.get("operator") ?? "").split(":");
  if (fixed !== undefined) return { field, operator, values: [fixed] };
  const known = fields.find((one) => one.field === field);
  const sent = query.getAll("value").map((one) => one.trim());
  if (known?.isTicked) return { field, operator: operatorFor(operator, sent), values: sent };
  const typed = sent[0] ?? "";
  if (known?.typed === "day") return { field, operator, values: [instantIn(timeZone, `${typed}T00:00`) ?? typed] };
  return { field, operator, values: valuesIn(operator, typed) };
}
