// To whom a mailing goes: what callers ask for, and the people of a study that it chooses.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { parseAttributes } from "../base/attributes.ts";
import type { AskedFilter } from "../base/members.ts";
import type { ProblemDetail } from "../base/problems.ts";
import { closedObject, id, instant, shortArray } from "../base/schemas.ts";
import { readAsked } from "../exports/asked-filters.ts";
import { sessionsOf } from "../exports/matching.ts";
import { asksSomething, FORM_OF_FILTER, filtersIn, readFilter, SentFilter } from "../exports/sent-filter.ts";
import { comparisonHolds, Facts } from "../nouns/content/holds.ts";
import { getScreener } from "../nouns/screeners/queries.ts";

const ASSIGNMENT_STATUSES = ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;
const REVIEW_STATES = ["PENDING", "ACCEPTED", "REJECTED"] as const;
const ORDERS = ["OLDEST", "RANDOM"] as const;

const MAX_NAMED = 100;
const MAX_FILTERS = 50;
const MAX_VALUES = 500;
const MAX_RECIPIENTS = 1_000_000;

const value = v.union([v.string(), v.number(), v.boolean()]);

const operand = v.union(
  [value, v.pipe(v.array(value), v.maxLength(MAX_VALUES, `must have at most ${MAX_VALUES} values`))],
  "must be a text, a number, true, false, or an array of them",
);

const isShort = (all: object) => Object.keys(all).length <= MAX_FILTERS;
const TOO_LONG = `must have at most ${MAX_FILTERS} keys`;

/** By key, then by operator: `{ "age": { "gte": 18 } }`. */
const filters = (description: string) =>
  v.optional(
    v.pipe(
      v.record(
        v.string(),
        v.pipe(v.record(v.string(), operand, "must be an object of operators"), asksSomething()),
        "must be an object of keys",
      ),
      v.check((all) => isShort(all), TOO_LONG),
      v.description(description),
    ),
  );

const NOT_A_LIMIT = `must be a whole number from 1 to ${MAX_RECIPIENTS}`;

/** A number of people. */
export const limit = v.pipe(
  v.number(NOT_A_LIMIT),
  v.safeInteger(NOT_A_LIMIT),
  v.minValue(1, NOT_A_LIMIT),
  v.maxValue(MAX_RECIPIENTS, NOT_A_LIMIT),
);

const some = <Item extends v.GenericSchema>(item: Item, description: string) =>
  v.optional(v.pipe(shortArray(item, MAX_NAMED, "must not be empty"), v.description(description)));

const ofWords = (words: readonly string[]) => v.picklist(words, `must be one of ${words.join(", ")}`);

export const Recipients = v.pipe(
  closedObject({
    status: some(ofWords(ASSIGNMENT_STATUSES), "Whose status in the screener is one of these"),
    attributes: filters('As the filters of sessions have them: `{ "site": { "eq": "Leeds" } }`'),
    filter: v.optional(
      v.pipe(
        SentFilter,
        v.check((all) => isShort(all), TOO_LONG),
        v.description(
          `${FORM_OF_FILTER}. People whose current session the table has with them: only those who have begun`,
        ),
      ),
    ),
    answers: filters('`{ "age": { "gte": 18 } }` is the same as `filter` with `{ "answers.age": { "gte": 18 } }`'),
    review: some(ofWords(REVIEW_STATES), "Whose current session has been reviewed so"),
    notInvitedSince: v.optional(v.pipe(instant, v.description("To whom no mailing of the screener was sent since"))),
    quotaIds: some(id, "Who holds or has taken a place in one of these quotas"),
    notInScreenerIds: some(id, "Who is in none of these screeners"),
    notQualifiedSince: v.optional(
      v.pipe(instant, v.description("Who has qualified for no screener of the workspace since")),
    ),
    limit: v.optional(v.pipe(limit, v.description("At most so many are written to"))),
    order: v.optional(
      v.pipe(
        v.picklist(ORDERS, `must be ${ORDERS.join(" or ")}`),
        v.description("Whom `limit` takes first. Default: OLDEST"),
      ),
    ),
  }),
  v.title("MailingRecipients"),
);

export type Recipients = v.InferOutput<typeof Recipients>;

/** Filters of sessions as they were sent, and where. Those by answers alone have a form of their own. */
export function filtersOfSessions({ filter = {}, answers = {} }: Recipients) {
  return [
    { sent: filter, at: { pointer: "/to/filter" } },
    { sent: answers, at: { pointer: "/to/answers", field: "answers" } },
  ];
}

type Holds = (attributes: ReadonlyMap<string, string | number | boolean>) => boolean;

const NO_QUESTIONS = { list: [], byName: new Map() };

/** Those of texts are compared as lists do; the others as rules do. */
function attributeTests({ attributes }: Recipients): { tests: Holds[]; errors: ProblemDetail[] } {
  const sent = filtersIn(attributes ?? {}, { pointer: "/to/attributes" });
  const asked = [...sent].map(({ field: key, ...one }): AskedFilter => ({ ...one, field: "attributes", key }));
  const isEquality = ({ operator }: AskedFilter) => ["eq", "ne", "in", "nin"].includes(operator);
  const equalities = asked.filter(isEquality).map(({ key, operator, values }): Holds => {
    const wanted = new Set(values);
    const isPositive = operator === "eq" || operator === "in";
    return (known) => wanted.has(String(known.get(key) ?? "")) === isPositive;
  });
  const { attributes: others, errors } = readAsked(
    NO_QUESTIONS,
    asked.filter((one) => !isEquality(one)),
  );
  const rules = others.map(({ condition }): Holds => {
    return (known) => {
      const found = new Map([...known].map(([key, value]) => [key, { value }]));
      return comparisonHolds(condition, new Facts({ attributes: () => found, today: () => "" }));
    };
  });
  return { tests: [...equalities, ...rules], errors };
}

/** What is wrong with filters, before a job reads the answers. */
export function faultsOfRecipients(to: Recipients): ProblemDetail[] {
  return attributeTests(to).errors;
}

const SLICE = 10_000;

/**
 * The assignments that filters by attributes and of sessions let through, by their rowids. It reads all of a study, so call it in a thread.
 * @returns undefined: there are no such filters. @throws Problem 400 with everything that is wrong with them
 */
export function chosenBy(db: Reader, screenerUid: string, to: Recipients): number[] | undefined {
  const screener = getScreener(db, screenerUid);
  const read = filtersOfSessions(to).map(({ sent, at }) => readFilter(sent, at));
  const [filters, asked] = [read.flatMap((one) => one.filters), read.flatMap((one) => one.asked)];
  const isBySession = filters.length + asked.length > 0;
  const { tests } = attributeTests(to);
  if (!isBySession && !tests.length) return undefined;
  const sessions = new Set(isBySession ? sessionsOf(db, screener, { filters, asked }) : []);
  const chosen: number[] = [];
  for (let after = 0; ; ) {
    const slice = db.all<{ id: number; session: number | null; attributes: string }>(
      `SELECT a.id, a.current_session_id AS session, p.attributes
       FROM screener_participant AS a INDEXED BY screener_participant_screener CROSS JOIN participant AS p ON p.id = a.participant_id
       WHERE a.screener_id = ? AND a.id > ? ORDER BY a.id LIMIT ${SLICE}`,
      screener.id,
      after,
    );
    for (const { id: assignment, session, attributes } of slice) {
      if (isBySession && (session === null || !sessions.has(session))) continue;
      const known = tests.length ? parseAttributes(attributes) : undefined;
      if (tests.every((holds) => holds(known!))) chosen.push(assignment);
    }
    if (slice.length < SLICE) return chosen;
    after = slice.at(-1)!.id;
  }
}

interface Where {
  sql: string;
  values: string[];
}

/** The other filters as a condition on the assignment `a`, whose current session is `e`. @param now of places that lapse */
export function recipientsSql(to: Recipients): Where {
  const parts: Where[] = [];
  const add = (sql: string, ...values: string[]) => parts.push({ sql, values });
  const named = "IN (SELECT value FROM json_each(?))";
  if (to.status) add(`a.status ${named}`, JSON.stringify(to.status));
  if (to.review) add(`e.review_state ${named}`, JSON.stringify(to.review));
  if (to.notInvitedSince)
    add(
      `NOT EXISTS (SELECT 1 FROM message AS m JOIN mailing AS l ON l.id = m.mailing_id WHERE m.participant_id = a.participant_id
         AND l.screener_id = a.screener_id AND m.state IN ('SENDING', 'SENT', 'UNCERTAIN') AND coalesce(m.ended_at, m.created_at) >= unixepoch(?, 'subsec') * 1000)`,
      to.notInvitedSince,
    );
  if (to.quotaIds)
    add(
      `EXISTS (SELECT 1 FROM quota_place AS q JOIN screener_quota AS o ON o.id = q.quota_id WHERE q.session_id = a.current_session_id AND o.uid ${named}
         AND (q.state = 'TAKEN' OR (q.state = 'HELD' AND (q.expires_at IS NULL OR q.expires_at > unixepoch('subsec') * 1000))))`,
      JSON.stringify(to.quotaIds),
    );
  if (to.notInScreenerIds)
    add(
      `NOT EXISTS (SELECT 1 FROM screener_participant AS o JOIN screener AS s ON s.id = o.screener_id
         WHERE o.participant_id = a.participant_id AND s.uid ${named})`,
      JSON.stringify(to.notInScreenerIds),
    );
  if (to.notQualifiedSince)
    add(
      `NOT EXISTS (SELECT 1 FROM screener_session AS o WHERE o.participant_id = a.participant_id AND o.outcome = 'QUALIFIED' AND o.is_test = 0
         AND o.completed_at >= ?)`,
      to.notQualifiedSince,
    );
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(""), values: parts.flatMap(({ values }) => values) };
}
