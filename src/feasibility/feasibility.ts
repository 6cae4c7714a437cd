// How many people of the roster a study can be about: who fits the rules by attributes, in which quotas, and who of them can be written to.
// In a thread, from a snapshot.

import type { Reader } from "../../db/sqlite/connection.ts";
import { attributesOf } from "../base/attributes.ts";
import type { NoContact } from "../contacts/no-contact.ts";
import { noContactOfMany } from "../contacts/no-contact-of-many.ts";
import { aboutDraft } from "../forecast/about-draft.ts";
import { countRoster } from "../forecast/queries.ts";
import { maxLookedAt, wantedContent } from "../forecast/wanted.ts";
import { attributesUsed } from "../nouns/content/advice/warnings.ts";
import { shown } from "../nouns/content/answers.ts";
import type { Content } from "../nouns/content/content.ts";
import { knownAttributes } from "../nouns/content/holds.ts";
import { isScreenedOut } from "../nouns/content/judge.ts";
import { openQuestions } from "../nouns/content/open.ts";
import { traceIn } from "../nouns/content/quotas.ts";
import { countHeld } from "../nouns/quotas/place-queries.ts";
import { listQuotaRows } from "../nouns/quotas/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { todayOf, UTC } from "../nouns/screeners/time-zones.ts";
import { findLastOf, listFinished, listPeople } from "./queries.ts";
import { type Feasibility, FeasibilityShell, NO_CONTACT_MEMBERS } from "./resource.ts";

const MAX_PEOPLE = 1_000_000;
const PEOPLE_AT_ONCE = 5000;

export const lookWhoFits = aboutDraft("look-who-fits", feasibility);

/** Call it inside a snapshot. @throws Problem screener_not_found, 400 with all errors, quota_rule_changed */
function feasibility(db: Reader, screenerUid: string, sent: unknown): Feasibility {
  const { id } = getScreener(db, screenerUid);
  const { content, known } = wantedContent(db, id, sent, FeasibilityShell);
  const now = Date.now();
  const givenPlaces = placesGiven(db, id, now);
  const { counted, groups } = groupsOf(db, id, content, now);
  const fitting = groups.filter(({ isIn }) => isIn !== null);
  const inCell = (at: number) => fitting.filter(({ isIn }) => isIn![at] !== false);
  const quotas = (content.quotas ?? []).map(({ id: quotaId, name, mode, limit }, at) => {
    const given = givenPlaces.get(quotaId) ?? 0;
    return {
      id: known.has(quotaId) ? quotaId : null,
      ...{ name, mode, limit, placesLeft: limit === null ? null : Math.max(limit - given, 0) },
      ...countsOf(inCell(at)),
      dependsOnAnswers: countsOf(inCell(at).filter(({ isIn }) => isIn![at] === undefined)).fit,
    };
  });
  const common = { _type: "ScreenerFeasibility" as const, screenerId: screenerUid };
  return { ...common, people: countRoster(db, { of: "WORKSPACE" }), counted, ...countsOf(fitting), quotas };
}

/** How many places of each quota are taken or held, by its id. */
function placesGiven(db: Reader, screenerId: number, now: number): ReadonlyMap<string, number> {
  return new Map(listQuotaRows(db, screenerId).map(({ id, uid, taken }) => [uid, taken + countHeld(db, id, now)]));
}

/** Why somebody does not remain. REMAINS: they do. */
type Standing = "REMAINS" | "FINISHED" | NoContact;

/** All people who are the same in what rules ask about. */
interface Group {
  /** Of each quota: whether they are in it. Undefined: their answers decide. Null: a rule screens them out. */
  isIn: readonly (boolean | undefined)[] | null;
  counts: Map<Standing, number>;
}

/** Rules look at each group once: people are many, and what rules ask about has few values. */
function groupsOf(db: Reader, screenerId: number, content: Content, now: number): { counted: number; groups: Group[] } {
  const keys = attributesUsed(content);
  const max = maxLookedAt(content, MAX_PEOPLE);
  const standings: Map<number, Standing> = noContactOfMany(db, screenerId, now);
  for (const id of listFinished(db, screenerId)) standings.set(id, "FINISHED");
  const groupOf = (values: string): Group => ({
    isIn: quotasIn(content, attributesOf(keys, values), now),
    counts: new Map(),
  });
  if (!keys.length) {
    const group = groupOf("");
    const counted = Math.min(countRoster(db, { of: "WORKSPACE" }), max);
    if (group.isIn) count(group, standings, counted, findLastOf(db, max));
    return { counted, groups: [group] };
  }
  const groups = new Map<string, Group>();
  let counted = 0;
  for (let after = 0; counted < max; ) {
    const rows = listPeople(db, keys, after, Math.min(PEOPLE_AT_ONCE, max - counted));
    for (const { id, values } of rows) {
      let group = groups.get(values);
      if (!group) {
        group = groupOf(values);
        groups.set(values, group);
      }
      if (group.isIn) add(group, standings.get(id) ?? "REMAINS", 1);
    }
    counted += rows.length;
    if (!rows.length) break;
    after = rows.at(-1)!.id;
  }
  return { counted, groups: [...groups.values()] };
}

/** Where rules ask about no attribute, all are one group, and nobody who remains has to be read. @param last the rowid of the last one of them */
function count(group: Group, standings: ReadonlyMap<number, Standing>, people: number, last = Infinity): void {
  let remaining = people;
  for (const [id, standing] of standings) {
    if (id > last) continue;
    add(group, standing, 1);
    remaining--;
  }
  add(group, "REMAINS", remaining);
}

function add({ counts }: Group, standing: Standing, people: number): void {
  counts.set(standing, (counts.get(standing) ?? 0) + people);
}

/** Which quotas somebody with these attributes is in before the first answer. Null: a rule screens them out, whatever they answer. */
function quotasIn(content: Content, attributes: string, now: number): Group["isIn"] {
  const person = { ...content, attributes: knownAttributes(() => attributes), today: todayOf(() => UTC, now) };
  const { counting } = shown(person, new Map());
  const open = openQuestions(person, new Map(), counting, "NOT_GIVEN");
  if (isScreenedOut(person, counting, open)) return null;
  return traceIn(content.quotas ?? [], counting, open).map(({ isIn }) => isIn);
}

function countsOf(groups: readonly Group[]) {
  const of = (standing: Standing) => groups.reduce((sum, { counts }) => sum + (counts.get(standing) ?? 0), 0);
  const noContact = Object.entries(NO_CONTACT_MEMBERS).map(([reason, member]) => [member, of(reason as NoContact)]);
  const fit = groups.reduce((sum, { counts }) => sum + [...counts.values()].reduce((all, n) => all + n, 0), 0);
  return {
    fit,
    finished: of("FINISHED"),
    noContact: Object.fromEntries(noContact) as Feasibility["noContact"],
    remaining: of("REMAINS"),
  };
}
