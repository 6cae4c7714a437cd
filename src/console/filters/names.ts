// What filters name, and filters in words.

import type { VisitorRequest } from "../shell/request.ts";
import { MAX_VERSIONS } from "../study/version-select.tsx";
import type { AskedFilter } from "./asked.ts";
import { fieldsOfColumns, fieldsOfSessions, filterInWords } from "./filter-words.ts";

/** How many of each are offered for filters. */
const MAX_OFFERED = 500;

/** What filters can name: versions, arms, quotas and open links. */
export async function namesOf({ calls, params }: VisitorRequest) {
  const id = params.id!;
  const query = `pagination[limit]=${MAX_OFFERED}`;
  const versions = await calls.get("listScreenerPublications", { id, query: `pagination[limit]=${MAX_VERSIONS}` });
  const arms = await calls.get("listScreenerArms", { id, query });
  const quotas = await calls.get("listScreenerQuotas", { id, query });
  const links = await calls.get("listScreenerLinks", { query: `${query}&filter[screenerId][eq]=${id}` });
  return {
    versions: versions.items.map(({ version }) => ({ id: String(version), text: String(version) })),
    arms: arms.items.map((arm) => ({ id: arm.id, text: `${arm.assignmentName}: ${arm.name}` })),
    quotas: quotas.items.map(({ id, name }) => ({ id, text: name })),
    links: links.items.map(({ id, name }) => ({ id, text: name })),
  };
}

/** Filters of the study of the path, each as a sentence. */
export async function filtersInWords(
  request: VisitorRequest,
  filters: readonly AskedFilter[],
  timeZone: string,
): Promise<string[]> {
  if (!filters.length) return [];
  const { items } = await request.calls.get("listScreenerAnswerColumns", { id: request.params.id! });
  const fields = [...fieldsOfColumns(items), ...fieldsOfSessions(await namesOf(request))];
  return filters.map((one) => filterInWords(one, fields, timeZone));
}
