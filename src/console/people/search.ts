// The search for people: among all, or those of a study.

import { MAX_SEARCHED_WORDS, searchedWords } from "../../../db/sqlite/words.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import type { Fault } from "../shell/fault-list.tsx";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderPeople, STATUSES, type StudyChoice } from "./page.tsx";

export const PEOPLE_PER_PAGE = 50;
const SHOWN_STUDIES = 100;

/** GET of people: all, those in whom words were found, or those of a study. */
export async function showPeople(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const asked = askedIn(query);
  const faults = faultsOf(asked);
  const offset = offsetOf(query, PEOPLE_PER_PAGE);
  const filters = filtersOf(asked);
  filters.set("pagination[limit]", String(PEOPLE_PER_PAGE));
  filters.set("pagination[offset]", String(offset));
  if (asked.sort) filters.set("sort", asked.sort);
  const operation = asked.study ? "listScreenerParticipants" : "listParticipants";
  const called = { query: filters.toString() };
  const view = { asked, faults, studies: await studiesOf(request), curl: calls.curl(operation, called) };
  const nobody = { items: [], total: 0, limit: PEOPLE_PER_PAGE, offset };
  const { items: people, ...rest } = faults.length ? nobody : await calls.get(operation, called);
  return page(faults.length ? 422 : 200, renderPeople(base, signedIn(request), { ...view, people, ...rest }));
}

/** GET of the people of a study, with a status if one is chosen, as a CSV with their emails. */
export async function sendPeople({ calls, query }: VisitorRequest): Promise<Reply> {
  const asked = askedIn(query);
  if (!asked.study || faultsOf(asked).length) throw new Problem("route_not_found");
  return calls.reply("listScreenerParticipants", { query: filtersOf(asked).toString() }, "csv");
}

type Asked = ReturnType<typeof askedIn>;

/** The members that all people can be sorted by. */
const PEOPLE_SORTS = ["externalUid", "name", "email"];

function askedIn(query: URLSearchParams) {
  const q = (query.get("q") ?? "").trim();
  const sort = query.get("sort") ?? "";
  // What was searched for comes in the order of the list, and so do the people of a study.
  const isSorted = PEOPLE_SORTS.includes(sort.replace(/^-/, "")) && !q && !query.get("study");
  return {
    q,
    sort: isSorted ? sort : "",
    key: (query.get("key") ?? "").trim(),
    value: query.get("value") ?? "",
    study: query.get("study") ?? "",
    status: STATUSES.find(([status]) => status === query.get("status"))?.[0] ?? "",
  };
}

function faultsOf({ q, key, value, study, status }: Asked): Fault[] {
  const words = searchedWords(q).length;
  return [
    ...(q && !words ? [{ field: "q", message: "Type a letter or a digit." }] : []),
    ...(words > MAX_SEARCHED_WORDS ? [{ field: "q", message: `Type at most ${MAX_SEARCHED_WORDS} words.` }] : []),
    ...(status && !study ? [{ field: "study", message: "Choose the study of the status." }] : []),
    ...(value && !key ? [{ field: "key", message: "Name the attribute." }] : []),
  ];
}

/** The filters of the API's list. */
function filtersOf({ q, key, value, study, status }: Asked): URLSearchParams {
  const filters = new URLSearchParams();
  if (q) filters.set("filter[search][matches]", q);
  if (key) filters.set(`filter[attributes.${key}][eq]`, value);
  if (study) filters.set("filter[screenerId][eq]", study);
  if (status) filters.set("filter[status][eq]", status);
  return filters;
}

/** The newest studies. */
export async function studiesOf({ calls }: VisitorRequest): Promise<StudyChoice[]> {
  const total = await calls.total("listScreeners", {});
  const offset = Math.max(total - SHOWN_STUDIES, 0);
  const query = `pagination[limit]=${SHOWN_STUDIES}&pagination[offset]=${offset}`;
  return (await calls.get("listScreeners", { query })).items.reverse();
}
