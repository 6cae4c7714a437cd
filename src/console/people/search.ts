// The search for people: one text is looked for among ids, emails and names, and the page says where it was found.

import type { Reply } from "../../http/wire/reply.ts";
import type { Fault } from "../shell/fault-list.tsx";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderPeople, SEARCHED, STATUSES, type StudyChoice, type Where } from "./page.tsx";

const PEOPLE_PER_PAGE = 50;
/** How many are shown of each member in which a text was found. */
const PEOPLE_PER_PLACE = 10;
const SHOWN_STUDIES = 100;
/** How many ids a filter takes. */
const MAX_IDS = 500;

interface Asked {
  q: string;
  by: Where | "";
  key: string;
  value: string;
  study: string;
  status: string;
}

/** GET of people: all, those in whom a text was found, or those of a study. */
export async function showPeople(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const asked: Asked = {
    q: (query.get("q") ?? "").trim(),
    by: SEARCHED.find(([where]) => where === query.get("by"))?.[0] ?? "",
    key: (query.get("key") ?? "").trim(),
    value: query.get("value") ?? "",
    study: query.get("study") ?? "",
    status: STATUSES.find(([status]) => status === query.get("status"))?.[0] ?? "",
  };
  const faults: Fault[] = [
    ...(asked.status && !asked.study ? [{ field: "study", message: "Choose the study of the status." }] : []),
    ...(asked.value && !asked.key ? [{ field: "key", message: "Name the attribute." }] : []),
  ];
  const filters = new URLSearchParams({
    "pagination[limit]": String(PEOPLE_PER_PAGE),
    "pagination[offset]": String(offsetOf(query)),
  });
  if (asked.key) filters.set(`filter[attributes.${asked.key}][eq]`, asked.value);
  const operation = asked.study ? "listScreenerParticipants" : "listParticipants";
  let isNobody = faults.length > 0;
  if (asked.study && !isNobody) {
    filters.set("filter[screenerId][eq]", asked.study);
    if (asked.status) filters.set("filter[status][eq]", asked.status);
    if (asked.q) {
      const ids = await idsOf(request, asked);
      for (const id of ids) filters.append("filter[participantId][in][]", id);
      isNobody = ids.length === 0;
      if (ids.length > MAX_IDS) faults.push({ field: "q", message: "Type more: that fits too many people." });
    }
  }
  const view = { asked, faults, studies: await studiesOf(request) };
  const reply = (people: Partial<Parameters<typeof renderPeople>[2]>) =>
    page(
      faults.length ? 422 : 200,
      renderPeople(base, signedIn(request), {
        ...view,
        ...{ people: [], matches: undefined, total: 0, limit: PEOPLE_PER_PAGE, offset: 0 },
        curl: calls.curl(operation, { query: filters.toString() }),
        ...people,
      }),
    );
  if (isNobody || faults.length) return reply({});
  if (!asked.study && asked.q && !asked.by) return reply(await everywhere(request, asked.q, filters));
  if (!asked.study && asked.q) filters.set(`filter[${asked.by}][startsWith]`, asked.q);
  const { items: people, ...rest } = await calls.get(operation, { query: filters.toString() });
  return reply({ people, ...rest });
}

/** Where a text was found, with the first people of each member; and the call that finds those of the first one. */
async function everywhere({ calls }: VisitorRequest, q: string, given: URLSearchParams) {
  const matches = [];
  let total = 0;
  let curl: string | undefined;
  for (const [where] of SEARCHED) {
    const filters = new URLSearchParams(given);
    filters.set("pagination[limit]", String(PEOPLE_PER_PLACE));
    filters.set("pagination[offset]", "0");
    filters.set(`filter[${where}][startsWith]`, q);
    const options = { query: filters.toString() };
    const found = await calls.get("listParticipants", options);
    total += found.total;
    if (!found.total) continue;
    matches.push({ where, people: found.items, total: found.total });
    curl ??= calls.curl("listParticipants", options);
  }
  return { matches, total, ...(curl && { curl }) };
}

/** The ids of the people in whom a text is found, for the list of a study: at most one more than a filter takes. */
async function idsOf({ calls }: VisitorRequest, { q, by }: Asked): Promise<string[]> {
  const ids = new Set<string>();
  for (const [where] of SEARCHED) {
    if (by && by !== where) continue;
    const query = new URLSearchParams({ "pagination[limit]": String(MAX_IDS), [`filter[${where}][startsWith]`]: q });
    const { total, items } = await calls.get("listParticipants", { query: query.toString() });
    for (const { id } of items) ids.add(id);
    if (total > MAX_IDS) ids.add("");
  }
  return [...ids].slice(0, MAX_IDS + 1);
}

/** The newest studies. */
async function studiesOf({ calls }: VisitorRequest): Promise<StudyChoice[]> {
  const { total } = await calls.get("listScreeners", { query: "pagination[limit]=1" });
  const offset = Math.max(total - SHOWN_STUDIES, 0);
  const query = `pagination[limit]=${SHOWN_STUDIES}&pagination[offset]=${offset}`;
  return (await calls.get("listScreeners", { query })).items.reverse();
}
