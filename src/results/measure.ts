// Measures a screener's results: in a thread, from kept counts, and from the sessions of a publication or a sample of them.

import { totalTable } from "../../db/list/counts.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { Parsed } from "../base/parsed.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { readPublished } from "../nouns/content/published.ts";
import { findLatestPublication, findPublication, type PublicationRow } from "../nouns/publications/queries.ts";
import { listAnswers } from "../nouns/responses/queries.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { findScreener } from "../nouns/screeners/queries.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import { daysOf, type Given, groupsOf, pagesOf, questionsOf, type SampledSession, SESSIONS_AT_ONCE } from "./count.ts";
import type { Results } from "./results.ts";

/** A sample has about so many sessions, or answers. Of 10,000 sessions a share is right by one percentage point. */
const MAX_SESSIONS = 10_000;
const MAX_ANSWERS = 50_000;
const MAX_SPLIT_QUESTIONS = 500;

/** What is asked for. */
interface Wanted {
  screenerUid: string;
  /** undefined: the newest. */
  publicationUid: string | undefined;
  /** The id of a question, or `attributes.<key>`. */
  splitBy: string | undefined;
  /** Charts of so many questions, from this one on. */
  fromQuestion: number;
  questions: number;
}

/** The results as JSON, or what is not there. */
type Measured = { json: string } | { missing: "screener" | "publication" | "splitBy" };

export const measureResults: SideTask<{ workspaceUid: string; wanted: Wanted }, Measured> = {
  name: "measure-results",
  perform: ({ workspaces }, { workspaceUid, wanted }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => measure(db, wanted))),
};

function measure(db: Reader, wanted: Wanted): Measured {
  const screener = findScreener(db, wanted.screenerUid);
  if (!screener) return { missing: "screener" };
  const publication = publicationFor(db, screener.id, wanted.publicationUid);
  if (!publication && wanted.publicationUid !== undefined) return { missing: "publication" };
  const results = resultsOf(db, screener, publication, wanted);
  return results ? { json: JSON.stringify(results) } : { missing: "splitBy" };
}

/** The publication with that id, if it is the screener's. Without an id, the newest one. */
function publicationFor(db: Reader, screenerId: number, uid: string | undefined): PublicationRow | undefined {
  if (uid === undefined) return findLatestPublication(db, screenerId);
  const publication = findPublication(db, uid);
  return publication?.screener_id === screenerId ? publication : undefined;
}

/** @returns undefined if there is no such question to split by */
function resultsOf(
  db: Reader,
  screener: { id: number; uid: string },
  publication: PublicationRow | undefined,
  wanted: Wanted,
): Results | undefined {
  const common = { _type: "ScreenerResults" as const, screenerId: screener.uid, funnel: funnelOf(db, screener.id) };
  if (!publication)
    return {
      ...common,
      screenerPublicationId: null,
      version: null,
      sessions: 0,
      countedSessions: 0,
      days: [],
      pages: [],
      groups: [],
      questionCount: 0,
      splitQuestions: [],
      questions: [],
    };
  const content = readPublished(db, new Parsed(), publication);
  const questions = content.pages.flatMap((page) => page.questions);
  const { total, sessions } = sampleOf(db, publication.id, questions.length);
  const given = answersOf(db, sessions);
  const groups = groupsOf(db, wanted.splitBy, questions, sessions, given);
  if (!groups) return undefined;
  return {
    ...common,
    screenerPublicationId: publication.uid,
    version: publication.version,
    sessions: total,
    countedSessions: sessions.length,
    days: daysOf(sessions),
    pages: pagesOf(content, sessions, given),
    groups: groups.list,
    questionCount: questions.length,
    splitQuestions: questions
      .filter((question) => "options" in question)
      .slice(0, MAX_SPLIT_QUESTIONS)
      .map(({ id, prompt }) => ({ screenerQuestionId: id, prompt })),
    questions: questionsOf(content, given, groups, wanted),
  };
}

function funnelOf(db: Reader, screenerId: number): Results["funnel"] {
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
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, n) => all + n, 0);
  const completed = states.get("COMPLETED") ?? 0;
  return {
    assigned: sum(statuses),
    opened: sum(states),
    started: completed + (states.get("IN_PROGRESS") ?? 0),
    completed,
    qualified: statuses.get("QUALIFIED") ?? 0,
    disqualified: statuses.get("DISQUALIFIED") ?? 0,
    unknown: statuses.get("UNKNOWN") ?? 0,
  };
}

/** The sessions of a publication; of many, every k-th in an order that has nothing to do with theirs. */
function sampleOf(db: Reader, publicationId: number, questions: number): { total: number; sessions: SampledSession[] } {
  // Removed ones included, because the index does not know them.
  const all = db.value<number>(
    "SELECT count(*) FROM screener_session WHERE screener_publication_id = ?",
    publicationId,
  )!;
  const each = Math.max(1, Math.ceil(all / MAX_SESSIONS), Math.ceil((all * questions) / MAX_ANSWERS));
  const sampled = db.all<SampledSession>(
    `SELECT id, participant_id AS participant, status, state, outcome, outcome_reason AS reason, created_at AS created,
       started_at AS started, completed_at AS completed, page_times AS times
     FROM screener_session WHERE screener_publication_id = ? AND ((id * 2654435761) >> 8) % ? = 0 ORDER BY id`,
    publicationId,
    each,
  );
  const sessions = sampled.filter(({ status }) => status !== "REMOVED");
  return { total: Math.round((all * sessions.length) / (sampled.length || 1)), sessions };
}

function answersOf(db: Reader, sessions: readonly SampledSession[]): Given[] {
  const ids = sessions.filter(({ state }) => state !== "NOT_STARTED").map(({ id }) => id);
  const given: Given[] = [];
  for (let at = 0; at < ids.length; at += SESSIONS_AT_ONCE)
    for (const { session, position, answer } of listAnswers(db, ids.slice(at, at + SESSIONS_AT_ONCE)))
      given.push({ session, position, shown: JSON.parse(answer) });
  return given;
}
