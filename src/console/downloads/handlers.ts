// The page on which the answers to a study are downloaded: what is in the file, and how it looks.

import { attributeKeys } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type AskedFilter, askedIn, parametersOfFilter } from "../filters/asked.ts";
import { filtersInWords } from "../filters/names.ts";
import type { Faults } from "../shell/faults.ts";
import { page, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { MAX_VERSIONS } from "../study/version-select.tsx";
import { type Chosen, renderDownload } from "./page.tsx";

const FORMATS = ["xlsx", "csv", "spss"] as const;

/** So many can be chosen. */
const MAX_ARMS = 500;

const DAY_MS = 24 * 60 * 60 * 1000;

/** GET of the page; with `file`, of the file. */
export async function showDownload(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const chosen = chosenIn(query);
  const file = query.get("file");
  const { filters } = askedIn(query);
  if (file === null) return showForm(request, chosen, {});
  const faults = faultsIn(chosen);
  if (Object.keys(faults).length) return showForm(request, chosen, faults);
  const id = params.id!;
  if (file === "codebook") return calls.reply("getScreenerCodebook", { id, query: layoutOf(chosen).toString() }, "csv");
  try {
    return await calls.reply("exportScreenerResponses", callOf(id, chosen, filters), chosen.format);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "export_too_large") throw error;
    const isExcel = chosen.format === "xlsx" && !error.document.detail.includes("columns");
    const fault = isExcel
      ? "cannot be Excel: the file would have more than 300,000 cells or 50 million characters. Choose fewer answers, or CSV"
      : "cannot be made: it would have more than 16,384 columns. Choose one column for each question";
    return showForm(request, chosen, { format: fault });
  }
}

async function showForm(request: VisitorRequest, chosen: Chosen, faults: Faults): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const id = params.id!;
  const { frame, screener } = await studyFrame(request);
  const { filters } = askedIn(query);
  const publications = { id, query: `pagination[limit]=${MAX_VERSIONS}` };
  const { items } = await calls.get("listScreenerPublications", publications);
  return page(
    Object.keys(faults).length ? 400 : 200,
    renderDownload(frame, {
      chosen,
      faults,
      filtered: { filters, words: await filtersInWords(request, filters, screener.timeZone) },
      publications: items,
      arms: (await calls.get("listScreenerArms", { id, query: `pagination[limit]=${MAX_ARMS}` })).items,
      attributes: context.workspaces.read(visitor.workspace_uid, attributeKeys),
      curl: calls.curl("exportScreenerResponses", callOf(id, chosen, filters)),
    }),
  );
}

function chosenIn(query: URLSearchParams): Chosen {
  const text = (name: string) => query.get(name)?.trim() ?? "";
  return {
    format: FORMATS.find((format) => format === query.get("format")) ?? "xlsx",
    headings: query.get("headings") === "KEYS" ? "KEYS" : "READABLE",
    choices: query.get("choices") === "COLUMNS" ? "COLUMNS" : "JOINED",
    who: text("who"),
    version: text("version"),
    arm: text("arm"),
    from: text("from"),
    until: text("until"),
    attribute: text("attribute"),
    value: text("value"),
    withdrawn: text("withdrawn") ? "true" : "",
  };
}

function faultsIn({ from, until, attribute, value }: Chosen): Faults {
  const faults: Faults = {};
  for (const [name, day] of Object.entries({ from, until }))
    if (day && startOf(day) === undefined) faults[name] = "must be a day such as 2026-01-31";
  if (!faults.from && !faults.until && from && until && from > until) faults.until = "must not be before the first day";
  if (value && !attribute) faults.attribute = "must be chosen, or its value be empty";
  return faults;
}

/** Midnight in UTC, in milliseconds; undefined if there is no such day. */
function startOf(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}

function layoutOf({ headings, choices }: Chosen): URLSearchParams {
  return new URLSearchParams({ headings, choices });
}

/** The call of the API that gives the file. @param filters of the table of answers. What is chosen on the page replaces the same ones */
function callOf(id: string, chosen: Chosen, filters: readonly AskedFilter[]): { id: string; query: string } {
  const { who, version, arm, attribute, value } = chosen;
  const query = layoutOf(chosen);
  for (const [name, value] of filters.flatMap(parametersOfFilter)) query.append(name, value);
  const filter = (name: string, text: string) => query.set(`filter[${name}]`, text);
  if (who === "COMPLETED" || who === "IN_PROGRESS") filter("state][eq", who);
  else if (who === "QUALIFIED") filter("outcome][eq", who);
  else if (who) filter("outcomeReason][eq", who);
  if (version) filter("screenerPublicationId][eq", version);
  if (arm) filter("armId][eq", arm);
  const [from, until] = [startOf(chosen.from), startOf(chosen.until)];
  if (from !== undefined) filter("lastActiveAt][gte", new Date(from).toISOString());
  if (until !== undefined) filter("lastActiveAt][lt", new Date(until + DAY_MS).toISOString());
  if (chosen.withdrawn) query.set("includeWithdrawn", "true");
  if (attribute && value) filter(`attributes.${attribute}][eq`, value);
  return { id, query: query.toString() };
}
