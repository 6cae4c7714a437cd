// Finds the sessions that filters by answers let through. It reads all answers to a question, so it runs in a thread.

import type { Reader } from "../../db/sqlite/connection.ts";
import { attributeSql } from "../base/attributes.ts";
import type { AskedFilter } from "../base/members.ts";
import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import { comparisonHolds, Facts, type KnownAttribute } from "../nouns/content/holds.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import { readAnswersOf, sessionsWith } from "../nouns/responses/queries.ts";
import type { ScreenerRow } from "../nouns/screeners/queries.ts";
import { todayOf } from "../nouns/screeners/time-zones.ts";
import { attributesOfStarted, listStarted } from "../nouns/sessions/started.ts";
import { type AnswerTest, type AttributeTest, readAsked } from "./asked-filters.ts";
import { type NamedQuestions, namedQuestions } from "./asked-questions.ts";
import type { ReadFilters } from "./sent-filter.ts";

type Study = Pick<ScreenerRow, "id" | "time_zone">;

/** Those of some sessions that filters let through, by their rowids, in the same order. */
type Matching = (sessionIds: readonly number[]) => number[];

/** @returns every error, if the filters have some */
export function matchingOf(
  db: Reader,
  study: Study,
  questions: NamedQuestions,
  asked: readonly AskedFilter[] = [],
): Matching | ProblemDetail[] {
  const { answers, attributes, errors } = readAsked(questions, asked);
  if (errors.length) return errors;
  // Words are the rarest.
  const [searches, others] = [answers.filter(({ words }) => words), answers.filter(({ words }) => !words)];
  return (all) => {
    let ids = [...all];
    const keep = (apart: Set<number>, isOut: boolean) => {
      ids = ids.filter((id) => apart.has(id) !== isOut);
    };
    for (const test of searches) keep(answersWith(db, test), false);
    // Half of them or fewer are looked up one by one. All are read faster as they lie.
    for (const test of others)
      keep(answersApart(db, study, test, ids.length <= all.length / 2 ? ids : undefined), test.holdsWithout);
    for (const test of attributes) keep(attributesApart(db, study, test), test.holdsWithout);
    return ids;
  };
}

/**
 * The sessions that are in the table of answers with these filters, the oldest first, by their rowids.
 * @throws Problem 400 with every error in the filters
 */
export function sessionsOf(db: Reader, study: Study, { filters, asked }: ReadFilters): number[] {
  const matches = matchingOf(db, study, namedQuestions(db, study.id), asked);
  if (Array.isArray(matches)) throw invalidRequest(matches);
  return matches(listStarted(db, { screenerId: study.id, filters, isOldestFirst: true }));
}

/** Longer answers are rarely given twice. */
const MAX_REMEMBERED_LENGTH = 200;
const MAX_REMEMBERED = 100_000;

const NO_ATTRIBUTES: ReadonlyMap<string, KnownAttribute> = new Map();

/** The sessions that an answer lets through; of a filter that lets those without an answer through, the ones that an answer keeps out. */
function answersApart(
  db: Reader,
  study: Study,
  { conditions, holdsWithout, needsDay }: AnswerTest,
  only: readonly number[] | undefined,
): Set<number> {
  const apart = new Set<number>();
  for (const { publicationId, position, question, condition } of conditions) {
    const type = typeOf(question);
    const holdsFor = (answer: string, startedAt: string | null): boolean => {
      const shown: unknown = JSON.parse(answer);
      const today = todayOf(() => study.time_zone, startedAt ?? Date.now());
      const facts = new Facts({ attributes: () => NO_ATTRIBUTES, today });
      facts.set(question.id, { question, answer: shown === null ? null : type.fromShown(question, shown) });
      return comparisonHolds(condition, facts);
    };
    // Most answers are given by many.
    const known = new Map<string, boolean>();
    for (const slice of readAnswersOf(db, { publicationId, position, needsDay, only }))
      for (const { session, answer, startedAt } of slice) {
        let holds = known.get(answer);
        if (holds === undefined) {
          holds = holdsFor(answer, startedAt);
          if (!needsDay && answer.length <= MAX_REMEMBERED_LENGTH && known.size < MAX_REMEMBERED)
            known.set(answer, holds);
        }
        if (holds !== holdsWithout) apart.add(session);
      }
  }
  return apart;
}

/** The sessions with all of the words in an answer. */
function answersWith(db: Reader, { conditions, words = "" }: AnswerTest): Set<number> {
  return new Set(conditions.flatMap((one) => sessionsWith(db, one, words)));
}

/** The same by an attribute. */
function attributesApart(db: Reader, { id }: Study, { condition, holdsWithout }: AttributeTest): Set<number> {
  const { attribute } = condition;
  const apart = new Set<number>();
  for (const slice of attributesOfStarted(db, id, attributeSql(attribute)))
    for (const { session, value } of slice) {
      const attributes = new Map([[attribute, { value: JSON.parse(value) }]]);
      const facts = new Facts({ attributes: () => attributes, today: () => "" });
      if (comparisonHolds(condition, facts) !== holdsWithout) apart.add(session);
    }
  return apart;
}
