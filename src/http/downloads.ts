// Who has got what of people's data: an event for each file, once it is made or sent, and for pages of JSON when they come to many rows. Programs
// walk lists page by page, and a log of each page would say less than it hides.

import { hash } from "node:crypto";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isKnownAttribute } from "../base/attributes.ts";
import type { FilterRules } from "../base/resource.ts";
import { pendEvent } from "../events/outbox.ts";
import type { DownloadedData } from "../events/types.ts";
import { requireHere } from "../workspaces/moving.ts";
import { type ApiRequest, causeOf } from "./endpoint.ts";
import { readParameters } from "./list-query.ts";
import type { Source } from "./list-stream.ts";
import type { ReplyFormat } from "./wire/formats.ts";

interface Download {
  data: DownloadedData;
  /** What it is about. Default: the workspace. */
  resource?: { type: string; uid: string };
  /** Its format. Default: that of the reply. */
  format?: ReplyFormat;
  /** The filters that it takes. */
  rules?: FilterRules;
}

/** Fields of ids that are no people's. */
const OF_STUDIES: ReadonlySet<string> = new Set([
  "screenerId",
  "screenerPublicationId",
  "screenerLinkId",
  "screenerQuotaId",
  "armId",
]);
/** Filters that leave one person. */
const OF_ONE: ReadonlySet<string> = new Set(["participantId", "screenerParticipantId", "screenerSessionId"]);
/** Of a longer list of values only the number is kept. */
const MAX_VALUES = 20;

/** A filter, as the event has it. */
interface ShownFilter {
  field: string;
  operator: string;
  /** Left out where they are texts or ids of people, because the log outlives these. */
  values?: string[];
}

/**
 * Keeps the event of a download. It is on the disk when this resolves, and in the log a moment later: whoever locks the store of the
 * workspace holds up no download.
 * @param shown how many rows were sent, and whether that is all of them; of pages, which are parts, whether they had several filters instead
 */
export async function recordDownload(
  request: ApiRequest,
  { data, resource, format = request.format, rules }: Download,
  { rows, ...shown }: { rows: number } & ({ isWhole: boolean } | { isMixed: boolean }),
): Promise<void> {
  const { context, principal, querystring } = request;
  const { workspaceUid } = principal;
  const { writer } = context.control;
  const isMixed = "isMixed" in shown && shown.isMixed;
  const filters = isMixed ? [] : namedFilters(request, shownFilters(querystring, rules));
  const how = "isWhole" in shown ? shown : isMixed ? { isMixed } : {};
  const summary = { data, format: format.toUpperCase(), rows, ...how, ...(filters.length && { filters }) };
  await whenFree(writer, context.config.writeWaitMs, () => {
    requireHere(writer, principal);
    const about = resource ?? { type: "Workspace", uid: workspaceUid };
    pendEvent(writer, workspaceUid, causeOf(request), { type: "data.exported", resource: about, summary });
  });
}

/** Filters by attributes that nobody has are known by no name: it may be a person's. */
function namedFilters({ context, principal }: ApiRequest, filters: readonly ShownFilter[]): ShownFilter[] {
  const isKnown = (key: string) => context.workspaces.read(principal.workspaceUid, (db) => isKnownAttribute(db, key));
  return filters.map((filter) => {
    const [, key] = /^attributes\.(.*)$/s.exec(filter.field) ?? [];
    return key === undefined || isKnown(key) ? filter : { ...filter, field: "attributes" };
  });
}

/** What records a reply with `download`: a stream when it has ended, or was broken off, and a page of JSON. */
export function downloadOf(request: ApiRequest, download: Download): Required<Pick<Source, "ended" | "shown">> {
  return {
    ended: (rows, isWhole) => recordDownload(request, download, { rows, isWhole }),
    shown: (rows) => recordPage(request, download, rows),
  };
}

/** Counts the rows of a page that the caller is shown. Their event, if one is due, comes a moment later, and holds up no page. */
function recordPage(request: ApiRequest, download: Download, rows: number): void {
  const { context, principal, querystring, isShown } = request;
  if (!rows || !isShown) return;
  const { type, uid } = principal.actor;
  const viewer = [principal.workspaceUid, type, uid, download.data, download.resource?.uid].join(" ");
  const filters = shownFilters(querystring, download.rules);
  const names = filters.map(({ field, operator }) => `${field} ${operator}`).sort();
  // The answers of one person, say, are about one.
  const isOfOne = filters.some(({ field, operator }) => operator === "eq" && OF_ONE.has(field));
  // A hash: names may be long.
  const key = names.length ? hash("sha256", names.join("\n")) : "";
  for (const { takeBack, ...bulk } of context.views.add(viewer, key, isOfOne ? 1 : rows)) {
    recordDownload(request, download, bulk).catch((err: unknown) => {
      takeBack();
      context.log.warn({ err, workspace: principal.workspaceUid }, "no event of a bulk view");
    });
  }
}

function shownFilters(querystring: string, rules: FilterRules = {}): ShownFilter[] {
  const shown = new Map<string, ShownFilter>();
  for (const [name, value] of readParameters(querystring)) {
    const [, field, key, operator] = /^filter\[(\w+)(?:\.(.+?))?\]\[(\w+)\]/s.exec(name) ?? [];
    if (field === undefined || operator === undefined) continue;
    const named = key === undefined ? field : `${field}.${key.trim()}`;
    const id = `${named} ${operator}`;
    const { values = [] } = shown.get(id) ?? {};
    if (isHarmless(field, rules) && values.length < MAX_VALUES) values.push(value);
    shown.set(id, { field: named, operator, ...(values.length && { values }) });
  }
  return [...shown.values()];
}

/** Whether its values are words of ours, times, or ids of studies. */
function isHarmless(field: string, rules: FilterRules): boolean {
  const values = rules[field]?.values;
  if (values === "text" || values === "search" || values === undefined) return false;
  return values !== "uuid" || OF_STUDIES.has(field);
}
