// Measures a screener's results: in a thread, from kept counts, and from the sessions of one publication or of all, or a sample of them.

import { totalTable } from "../../db/list/counts.ts";
import type { Filter } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import type { AskedFilter } from "../base/members.ts";
import type { ProblemDetail } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { namedQuestions } from "../exports/asked-questions.ts";
import { matchingOf } from "../exports/matching.ts";
import { MAX_QUOTAS } from "../nouns/content/content.ts";
import { findPublication, listPublications, type PublicationRow } from "../nouns/publications/queries.ts";
import { listQuotas } from "../nouns/quotas/queries.ts";
import { readAnswers } from "../nouns/responses/queries.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { findScreener, type ScreenerRow } from "../nouns/screeners/queries.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import { listStarted } from "../nouns/sessions/started.ts";
import { Counts, type WantedQuestions } from "./count.ts";
import { groupsOf, splitRowsOf, splitterOf } from "./groups.ts";
import type { Results } from "./results.ts";
import { countSessions, countWithdrawn, daysOf, type Scope, startedSessions } from "./sessions.ts";
import { readStudy, type Study } from "./study.ts";

/** What is counted as a whole: up to so many completed sessions, with so many answers. Of more, a sample with about so many is. */
interface Limits {
  completed: number;
  answers: number;
  sampleSessions: number;
  sampleAnswers: number;
}

const LIMITS: Limits = { completed: 250_000, answers: 10_000_000, sampleSessions: 100_000, sampleAnswers: 2_000_000 };

const MAX_SPLIT_QUESTIONS = 500;

/** What is asked for. */
export interface Wanted extends WantedQuestions {
  screenerUid: string;
  /** undefined: all. */
  publicationUid: string | undefined;
  /** The id of a question, `attributes.<key>`, `arms.<id of an assignment>`, or `quotas.<id>`. */
  splitBy: string | undefined;
  /** Whether those are counted, too, whose participants have withdrawn. Missing: no. */
  includesWithdrawn?: boolean;
  filters?: readonly Filter[];
  asked?: readonly AskedFilter[];
}

/** The results as JSON, or what is not there. */
export type Measured =
  | { json: string }
  | { json?: never; missing: "screener" | "publication" | "splitBy" }
  | { json?: never; errors: ProblemDetail[] };

export const measureResults: SideTask<{ workspaceUid: string; wanted: Wanted }, Measured> = {
  name: "measure-results",
  perform: ({ workspaces }, { workspaceUid, wanted }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => measure(db, wanted))),
};

export function measure(db: Reader, wanted: Wanted, limits = LIMITS): Measured {
  const screener = findScreener(db, wanted.screenerUid);
  if (!screener) return { missing: "screener" };
  const { publicationUid } = wanted;
  const publication = publicationUid === undefined ? undefined : findPublication(db, publicationUid);
  if (publicationUid !== undefined && publication?.screener_id !== screener.id) return { missing: "publication" };
  const only = matchingSessions(db, screener, wanted);
  if (only && "errors" in only) return only;
  const results = resultsOf(db, { screener, publication, only }, wanted, limits);
  return results ? { json: JSON.stringify(results) } : { missing: "splitBy" };
}

/** The rowids of the sessions that the filters let through, in order. undefined: there are no filters. */
function matchingSessions(
  db: Reader,
  screener: ScreenerRow,
  { filters = [], asked = [], includesWithdrawn = false }: Wanted,
): number[] | undefined | { errors: ProblemDetail[] } {
  if (!filters.length && !asked.length) return undefined;
  const ids = listStarted(db, { screenerId: screener.id, filters, isOldestFirst: true, includesWithdrawn });
  const matches = asked.length ? matchingOf(db, screener, namedQuestions(db, screener.id), asked) : undefined;
  if (typeof matches === "object") return { errors: matches };
  return (matches ? matches(ids) : ids).sort((one, other) => one - other);
}

interface Subject {
  screener: ScreenerRow;
  publication: PublicationRow | undefined;
  /** The rowids of the only sessions that are counted; undefined: all. */
  only: readonly number[] | undefined;
}

/** @returns undefined if there is no such question, assignment or quota to split by */
function resultsOf(
  db: Reader,
  { screener, publication, only }: Subject,
  wanted: Wanted,
  limits: Limits,
): Results | undefined {
  const all = listPublications(db, screener.id);
  const study = readStudy(db, publication ? [publication] : all);
  const quotas = listQuotas(db, screener.id).slice(0, MAX_QUOTAS);
  const split = wanted.splitBy === undefined ? undefined : splitterOf(db, study, quotas, wanted.splitBy);
  // A screener that was never published has no question to split by, and nothing to split.
  if (wanted.splitBy !== undefined && !split && all.length) return undefined;
  const { includesWithdrawn = false } = wanted;
  const which = { screenerId: screener.id, publicationId: publication?.id, only, includesWithdrawn };
  const counted = countSessions(db, which);
  const ours = publication ? counted.filter((one) => one.publication === publication.id) : counted;
  const [sessions, started] = [sum(ours), sum(ours.filter(({ hasStarted }) => hasStarted))];
  const completed = sum(ours.filter(({ isCompleted }) => isCompleted));
  const answers = only ? started * study.questions.length : countAnswers(db, screener.id, publication?.id);
  const share = shareOf({ started, completed, answers }, limits);
  const scope = { ...which, share };
  const slices = () => startedSessions(db, scope, study.questions.length);
  const counts = new Counts(study, wanted, split && groupsOf(split, slices(), started));
  for (const slice of slices())
    counts.add(
      slice,
      readAnswers(
        db,
        slice.map(({ id }) => id),
      ),
    );
  const isSample = share < 1;
  return {
    _type: "ScreenerResults",
    screenerId: screener.uid,
    funnel: funnelOf(db, screener.id, includesWithdrawn),
    screenerPublicationId: publication?.uid ?? null,
    version: publication?.version ?? null,
    versions: all.map(({ id, uid, version }) => ({
      screenerPublicationId: uid,
      version,
      sessions: sum(counted.filter((one) => one.publication === id)),
    })),
    sessions,
    startedSessions: started,
    countedSessions: isSample ? counts.sessions : sessions,
    days: daysOf(db, scope, screener.time_zone),
    pages: counts.pages(),
    groups: counts.groups(isSample),
    questionCount: study.questions.length,
    splitQuestions: splitQuestionsOf(study),
    splitRows: allSplitRows(study),
    splitAssignments: [...study.assignments].map(([assignmentId, { name }]) => ({ assignmentId, name })),
    splitQuotas: quotas.map(({ uid, name }) => ({ screenerQuotaId: uid, name })),
    questions: counts.questions(isSample),
  };
}

function sum(counts: readonly { n: number }[]): number {
  return counts.reduce((all, { n }) => all + n, 0);
}

/** The share of the sessions that is looked at. 1: all. */
function shareOf(found: { started: number; completed: number; answers: number }, limits: Limits): Scope["share"] {
  const { started, completed, answers } = found;
  if (completed <= limits.completed && answers <= limits.answers) return 1;
  return Math.min(limits.sampleSessions / started, limits.sampleAnswers / answers, 1);
}

function countAnswers(db: Reader, screenerId: number, publicationId: number | undefined): number {
  return db.value(
    `SELECT coalesce(sum(n), 0) FROM ${totalTable(countedResponses)} WHERE screener_id = ? AND screener_publication_id = coalesce(?, screener_publication_id)`,
    screenerId,
    publicationId ?? null,
  )!;
}

function splitQuestionsOf({ questions }: Study): Results["splitQuestions"] {
  return questions
    .filter(({ versions }) => "options" in versions[0]!)
    .slice(0, MAX_SPLIT_QUESTIONS)
    .map(({ id, versions }) => ({ screenerQuestionId: id, prompt: versions[0]!.prompt }));
}

function allSplitRows({ questions }: Study): Results["splitRows"] {
  return questions
    .flatMap((question) =>
      splitRowsOf(question).map(({ id: rowId, text }) => ({
        screenerQuestionId: question.id,
        rowId,
        prompt: question.versions[0]!.prompt,
        text,
      })),
    )
    .slice(0, MAX_SPLIT_QUESTIONS);
}

function funnelOf(db: Reader, screenerId: number, includesWithdrawn: boolean): Results["funnel"] {
  const statuses = new Map(
    db
      .all<{ status: string; n: number }>(
        `SELECT status, sum(n) AS n FROM ${totalTable(countedAssignments)} WHERE screener_id = ? GROUP BY status`,
        screenerId,
      )
      .map(({ status, n }) => [status, n]),
  );
  const states = new Map(
    db
      .all<{ state: string; n: number }>(
        `SELECT state, sum(n) AS n FROM ${totalTable(countedSessions)} WHERE screener_id = ? AND status = 'ACTIVE' GROUP BY state`,
        screenerId,
      )
      .map(({ state, n }) => [state, n]),
  );
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((all, n) => all + n, 0);
  const completed = states.get("COMPLETED") ?? 0;
  const withdrawn = countWithdrawn(db, screenerId);
  const more = (which: (one: (typeof withdrawn)[number]) => boolean) =>
    includesWithdrawn ? sum(withdrawn.filter(which)) : 0;
  const all = more(() => true);
  const statusOf = (outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN") =>
    (statuses.get(outcome) ?? 0) + more((one) => one.outcome === outcome);
  return {
    assigned: total(statuses),
    opened: total(states) + all,
    started: completed + (states.get("IN_PROGRESS") ?? 0) + all,
    completed: completed + more(({ isCompleted }) => isCompleted === 1),
    qualified: statusOf("QUALIFIED"),
    disqualified: statusOf("DISQUALIFIED"),
    // A withdrawal makes the status UNKNOWN, whatever came before.
    unknown: statusOf("UNKNOWN") - withdrawn.reduce((last, one) => last + one.last, 0),
  };
}
