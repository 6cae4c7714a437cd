// Counts sampled sessions and their answers: by day, by page, by group, and by question.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Content } from "../nouns/content/content.ts";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { Results } from "./results.ts";

const MAX_GROUPS = 6;
const MAX_DAYS = 366;
/** How many sessions are looked up in one statement. */
export const SESSIONS_AT_ONCE = 500;

export interface SampledSession {
  id: number;
  participant: number;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcome: string | null;
  reason: string | null;
  created: string;
  started: string | null;
  completed: string | null;
  /** JSON: how long pages were open, by `p<index of the page>`, in ms. */
  times: string | null;
}

export interface Given {
  session: number;
  position: number;
  shown: unknown;
}

interface Groups {
  list: Results["groups"];
  /** The group of a session, by its id. */
  of: ReadonlyMap<number, number>;
}

/** @returns undefined if there is no such question */
export function groupsOf(
  db: Reader,
  splitBy: string | undefined,
  questions: readonly Question[],
  sessions: readonly SampledSession[],
  given: readonly Given[],
): Groups | undefined {
  if (splitBy === undefined) return { list: [], of: new Map() };
  const labels = splitBy.startsWith("attributes.")
    ? attributeLabels(db, splitBy.slice("attributes.".length), sessions)
    : answerLabels(splitBy, questions, given);
  if (!labels) return undefined;
  const sizes = new Map<string, number>();
  for (const label of labels.values()) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const list: Results["groups"] = [...sizes]
    .sort(([one, size], [other, otherSize]) => otherSize - size || (one < other ? -1 : 1))
    .slice(0, MAX_GROUPS)
    .map(([label, size]) => ({ label, sessions: size }));
  const indexes = new Map(list.map(({ label }, index) => [label!, index]));
  const others = sessions.length - list.reduce((sum, group) => sum + group.sessions, 0);
  const of = new Map<number, number>();
  for (const { id } of sessions) of.set(id, indexes.get(labels.get(id)!) ?? list.length);
  if (others) list.push({ label: null, sessions: others });
  return { list, of };
}

/** The values of an attribute, by session. Participants without it are left out. */
function attributeLabels(db: Reader, key: string, sessions: readonly SampledSession[]): Map<number, string> {
  const labels = new Map<number, string>();
  for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE) {
    const some = sessions.slice(at, at + SESSIONS_AT_ONCE);
    const values = new Map(
      db
        .all<{ id: number; value: string }>(
          `SELECT p.id, CASE a.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE a.value END AS value FROM participant AS p, json_each(p.attributes) AS a
           WHERE p.id IN (SELECT value FROM json_each(?)) AND a.key = ?`,
          JSON.stringify(some.map(({ participant }) => participant)),
          key,
        )
        .map(({ id, value }) => [id, String(value)]),
    );
    for (const { id, participant } of some) {
      const value = values.get(participant);
      if (value !== undefined) labels.set(id, value);
    }
  }
  return labels;
}

/** What was answered to a question, by session. */
function answerLabels(
  questionId: string,
  questions: readonly Question[],
  given: readonly Given[],
): Map<number, string> | undefined {
  const position = questions.findIndex(({ id }) => id === questionId);
  if (position < 0) return undefined;
  const type = typeOf(questions[position]!);
  const labels = new Map<number, string>();
  for (const { session, position: at, shown } of given)
    if (at === position && shown !== null) labels.set(session, String(type.cell(shown)));
  return labels;
}

export function daysOf(sessions: readonly SampledSession[]): Results["days"] {
  const days = new Map<string, Results["days"][number]>();
  const count = (at: string | null, what: "opened" | "started" | "completed" | "qualified") => {
    if (at === null) return;
    const date = at.slice(0, 10);
    const day = days.get(date) ?? { date, opened: 0, started: 0, completed: 0, qualified: 0 };
    day[what]++;
    days.set(date, day);
  };
  for (const { created, started, completed, outcome } of sessions) {
    count(created, "opened");
    count(started, "started");
    count(completed, "completed");
    if (outcome === "QUALIFIED") count(completed, "qualified");
  }
  return [...days.values()].sort((one, other) => (one.date < other.date ? -1 : 1)).slice(-MAX_DAYS);
}

export function pagesOf(
  { pages }: Content,
  sessions: readonly SampledSession[],
  given: readonly Given[],
): Results["pages"] {
  const pageOf = pages.flatMap(({ questions }, page) => questions.map(() => page));
  const counts = pages.map(({ id, title }) => ({ screenerPageId: id, title, answered: 0, left: 0, screenedOut: 0 }));
  const lastPages = new Map<number, number>();
  for (const { session, position } of given) {
    const page = pageOf[position];
    if (page === undefined) continue;
    // Answers come in the order of questions, so a page's come one after the other.
    if (lastPages.get(session) !== page) counts[page]!.answered++;
    lastPages.set(session, page);
  }
  for (const { id, state, reason } of sessions) {
    const last = lastPages.get(id);
    if (last === undefined) continue;
    if (state === "IN_PROGRESS") counts[last]!.left++;
    else if (reason === "SCREENED_OUT") counts[last]!.screenedOut++;
  }
  const times = timesOf(pages.length, sessions);
  return counts.map((page, index) => ({ ...page, medianSeconds: medianSeconds(times[index]!) }));
}

/** How long sessions had each page open, in ms. */
function timesOf(pages: number, sessions: readonly SampledSession[]): number[][] {
  const times = Array.from({ length: pages }, (): number[] => []);
  for (const session of sessions)
    if (session.times !== null)
      for (const [key, ms] of Object.entries(JSON.parse(session.times) as Record<string, number>))
        times[Number(key.slice(1))]?.push(ms);
  return times;
}

/** To a tenth of a second. */
function medianSeconds(times: number[]): number | null {
  if (!times.length) return null;
  times.sort((one, other) => one - other);
  const middle = times.length >> 1;
  const ms = times.length % 2 ? times[middle]! : (times[middle - 1]! + times[middle]!) / 2;
  return Math.round(ms / 100) / 10;
}

export function questionsOf(
  { pages }: Content,
  given: readonly Given[],
  { list, of }: Groups,
  { fromQuestion, questions: count }: { fromQuestion: number; questions: number },
): Results["questions"] {
  const byPosition = Map.groupBy(given, ({ position }) => position);
  const plain = (some: readonly Given[]) => some.map((one) => one.shown);
  return pages
    .flatMap((page) => page.questions.map((question) => ({ page, question })))
    .map((one, position) => ({ ...one, answers: byPosition.get(position) ?? [] }))
    .slice(fromQuestion, fromQuestion + count)
    .map(({ page, question, answers }) => {
      const shown = answers.filter((one) => one.shown !== null);
      const groups = list.map((_, group) => shown.filter(({ session }) => of.get(session) === group));
      return {
        screenerQuestionId: question.id,
        screenerPageId: page.id,
        questionType: question._type,
        key: question.key ?? null,
        prompt: question.prompt,
        answered: shown.length,
        skipped: answers.length - shown.length,
        groupAnswered: groups.map(({ length }) => length),
        chart: typeOf(question).chart(question, { all: plain(shown), groups: groups.map(plain) }),
      };
    });
}
