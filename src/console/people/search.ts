// The search for people: among all, or those of a study.

import { MAX_SEARCHED_WORDS, searchedWords } from "../../../db/sqlite/words.ts";
import type { Reply } from "../../http/wire/reply.ts";
import type { Fault } from "../shell/fault-list.tsx";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderPeople, STATUSES, type StudyChoice } from "./page.tsx";

const PEOPLE_PER_PAGE = 50;
const SHOWN_STUDIES = 100;

/** GET of people: all, those in whom words were found, or those of a study. */
export async function showPeople(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const asked = {
    q: (query.get("q") ?? "").trim(),
    key: (query.get("key") ?? "").trim(),
    value: query.get("value") ?? "",
    study: query.get("study") ?? "",
    status: STATUSES.find(([status]) => status === query.get("status"))?.[0] ?? "",
  };
  const words = searchedWords(asked.q).length;
  const faults: Fault[] = [
    ...(asked.q && !words ? [{ field: "q", message: "Type a letter or a digit." }] : []),
    ...(words > MAX_SEARCHED_WORDS ? [{ field: "q", message: `Type at most ${MAX_SEARCHED_WORDS} words.` }] : []),
    ...(asked.status && !asked.study ? [{ field: "study", message: "Choose the study of the status." }] : []),
    ...(asked.value && !asked.key ? [{ field: "key", message: "Name the attribute." }] : []),
  ];
  const offset = offsetOf(query, PEOPLE_PER_PAGE);
  const filters = new URLSearchParams({
    "pagination[limit]": String(PEOPLE_PER_PAGE),
    "pagination[offset]": String(offset),
  });
  if (asked.q) filters.set("filter[search][matches]", asked.q);
  if (asked.key) filters.set(`filter[attributes.${asked.key}][eq]`, asked.value);
  if (asked.study) filters.set("filter[screenerId][eq]", asked.study);
  if (asked.status) filters.set("filter[status][eq]", asked.status);
  const operation = asked.study ? "listScreenerParticipants" : "listParticipants";
  const called = { query: filters.toString() };
  const view = { asked, faults, studies: await studiesOf(request), curl: calls.curl(operation, called) };
  const nobody = { items: [], total: 0, limit: PEOPLE_PER_PAGE, offset };
  const { items: people, ...rest } = faults.length ? nobody : await calls.get(operation, called);
  return page(faults.length ? 422 : 200, renderPeople(base, signedIn(request), { ...view, people, ...rest }));
}

/** The newest studies. */
async function studiesOf({ calls }: VisitorRequest): Promise<StudyChoice[]> {
  const { total } = await calls.get("listScreeners", { query: "pagination[limit]=1" });
  const offset = Math.max(total - SHOWN_STUDIES, 0);
  const query = `pagination[limit]=${SHOWN_STUDIES}&pagination[offset]=${offset}`;
  return (await calls.get("listScreeners", { query })).items.reverse();
}
