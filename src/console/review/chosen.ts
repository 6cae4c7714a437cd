// What the page Review has of many at once: the filters that its address names, or that its form has sent.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { ScreenerSessionsReview } from "../../client/types.ts";
import { type AskedFilter, addressOf, askedIn, isList } from "../filters/asked.ts";
import { filtersInWords } from "../filters/names.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { ManyView } from "./many.tsx";

type Filter = NonNullable<ScreenerSessionsReview["filter"]>;

const WAITING: AskedFilter = { field: "review", operator: "eq", values: ["PENDING"] };

/** As a form has sent it. */
export function readFilter(json: string): Filter {
  try {
    return JSON.parse(json || "{}");
  } catch {
    throw new Problem("invalid_request");
  }
}

/** @param sent what a form has sent. Undefined: what the address says */
export async function manyOf(
  request: VisitorRequest,
  timeZone: string,
  sent?: { filter: Filter; reason: string },
): Promise<ManyView> {
  const { base, params, query } = request;
  const asked = sent ? filtersOf(sent.filter) : askedIn(query).filters;
  const id = params.id!;
  const filters = [...asked.filter(({ field }) => field !== WAITING.field), WAITING];
  return {
    filter: JSON.stringify(filterOf(asked)),
    words: await filtersInWords(request, asked, timeZone),
    table: addressOf(`${base}/console/studies/${id}/answers`, { filters }),
    reason: sent?.reason ?? "",
    key: newId(),
  };
}

/** As the API takes them. */
function filterOf(asked: readonly AskedFilter[]): Filter {
  const filter: Record<string, Record<string, string | string[]>> = {};
  for (const { field, operator, values } of asked) {
    const value = isList(operator) ? values.filter((one) => one !== "") : values[0]!;
    filter[field] = { ...filter[field], [operator]: value };
  }
  return filter;
}

function filtersOf(filter: Filter): AskedFilter[] {
  return Object.entries(filter).flatMap(([field, operators]) =>
    Object.entries(operators).map(([operator, values]) => ({ field, operator, values: [values].flat().map(String) })),
  );
}
