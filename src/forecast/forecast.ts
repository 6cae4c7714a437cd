// Forecasts what quotas would have let through: in a thread, from a snapshot, by replaying those who have answered, or who may be asked.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import type { ArmIds } from "../arms/queries.ts";
import { detailOf, requireObject } from "../base/check-body.ts";
import { parseJson } from "../base/json.ts";
import { invalidRequest, Problem, type ProblemDetail, type ProblemDocument } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { imagesOf } from "../images/queries.ts";
import { attributesUsed, deadEndsOf } from "../nouns/content/advice/warnings.ts";
import type { Answers } from "../nouns/content/answers.ts";
import type { Content, Quota } from "../nouns/content/content.ts";
import { readDraft } from "../nouns/content/draft.ts";
import { aroundDraft } from "../nouns/content/draft-around.ts";
import { attributesIn, knownAttributes, questionsIn } from "../nouns/content/holds.ts";
import { findDraft } from "../nouns/content/queries.ts";
import { imageIdsIn } from "../nouns/content/statement.ts";
import { publishedLimits } from "../nouns/quotas/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { todayOf, UTC } from "../nouns/screeners/time-zones.ts";
import { wilson } from "../results/interval.ts";
import { DraftAnswers } from "./answers.ts";
import {
  countAnswered,
  countInvited,
  countRoster,
  listAnswered,
  listRepeated,
  listRoster,
  PEOPLE_AT_ONCE,
  type Roster,
} from "./queries.ts";
import { type Cell, type Person, Replay } from "./replay.ts";
import { type Forecast, ForecastShell } from "./resource.ts";

interface Limits {
  /** More sessions, or people, are not replayed. */
  replayed: number;
  /** Nor more than so many times the comparisons of all quotas: these take 5 s. */
  comparisons: number;
}

const LIMITS: Limits = { replayed: 250_000, comparisons: 75_000_000 };

interface ForecastTask {
  workspaceUid: string;
  screenerUid: string;
  /** JSON. */
  body: Uint8Array;
}

export const forecastQuotas: SideTask<ForecastTask, { json: string } | { problem: ProblemDocument }> = {
  name: "forecast-quotas",
  perform({ workspaces }, { workspaceUid, screenerUid, body }) {
    try {
      const sent = parseJson(Buffer.from(body));
      return workspaces.read(workspaceUid, (db) =>
        db.snapshot(() => ({ json: JSON.stringify(forecast(db, screenerUid, sent)) })),
      );
    } catch (error) {
      if (error instanceof Problem) return { problem: error.document };
      throw error;
    }
  },
};

/** Call it inside a snapshot. @throws Problem screener_not_found, 400 with all errors, quota_rule_changed */
export function forecast(db: Reader, screenerUid: string, sent: unknown, most = LIMITS): Forecast {
  const { id } = getScreener(db, screenerUid);
  const draft = JSON.parse(findDraft(db, id).json) as Content;
  const limits = publishedLimits(db, id);
  const { content, basis } = wantedOf(db, id, draft, limits, sent);
  const answered = countAnswered(db, id);
  const chosen = basis ?? (answered ? "ANSWERS" : "ROSTER");
  const known = new Set([...(draft.quotas ?? []).map((quota) => quota.id), ...limits.keys()]);
  const max = maxReplayed(content, most);
  const replayed =
    chosen === "ANSWERS" ? replayAnswers(db, id, content, answered, max) : replayRoster(db, id, content, max);
  const { replay, total, waiting, invited, roster } = replayed;
  const notReplayed = total - replay.replayed;
  const dead = new Set(deadEndsOf(content).map((end) => end.id));
  // Of more people than are replayed, so many belong to those who are.
  const ofThese = Math.round((invited * replay.replayed) / (total || 1));
  const nameOf = ({ quota }: Cell) => ({ id: known.has(quota.id) ? quota.id : null, name: quota.name });
  const quotas = replay.cells.map((cell) => {
    const { mode, limit, given, turnedAway, turnedAwayBy, unknown } = cell;
    const people = given + turnedAway + unknown + (waiting.get(cell.quota.id) ?? 0);
    const areTooFew = people + notReplayed < (limit ?? 0);
    const because = dead.has(cell.quota.id) ? "CONTRADICTION" : areTooFew ? "TOO_FEW_PEOPLE" : null;
    const by = [...turnedAwayBy].sort(([, one], [, other]) => other - one);
    return {
      ...nameOf(cell),
      mode,
      limit,
      taken: given,
      turnedAway,
      turnedAwayBy: by.map(([first, count]) => ({ ...nameOf(first), count })),
      unknown,
      people,
      canFill: limit === null ? null : because === null,
      cannotFillBecause: because,
      invitationsNeeded:
        limit === null || because === "CONTRADICTION"
          ? null
          : invitationsNeeded(limit - given, given, Math.max(given, ofThese - unknown)),
    } as const;
  });
  const { screenedOut } = replay;
  const common = { _type: "ScreenerQuotaForecast" as const, screenerId: screenerUid, basis: chosen, roster, total };
  return { ...common, replayed: replay.replayed, screenedOut, quotas };
}

/** @throws Problem 400 with all errors */
function wantedOf(
  db: Reader,
  screenerId: number,
  draft: Content,
  limits: ReadonlyMap<string, number | null>,
  sent: unknown,
) {
  requireObject(sent);
  const { output, issues } = v.safeParse(ForecastShell, sent);
  const errors: ProblemDetail[] = (issues ?? []).map((issue) => detailOf(issue));
  const given = "quotas" in sent && sent.quotas !== null;
  const content = given ? withQuotas(db, screenerId, draft, sent.quotas, errors) : withLimits(draft, limits);
  if (errors.length) throw invalidRequest(errors);
  return { content, basis: (output as v.InferOutput<typeof ForecastShell>).basis };
}

/** The draft with other quotas, checked as those of a content. Adds what is wrong with them to `errors`. */
function withQuotas(db: Reader, screenerId: number, draft: Content, quotas: unknown, errors: ProblemDetail[]): Content {
  try {
    const images = imagesOf(db, imageIdsIn(draft));
    return readDraft({ ...draft, quotas }, draft, { ...aroundDraft(db, screenerId, draft), images });
  } catch (error) {
    if (!(error instanceof Problem) || !errors.length) throw error;
    errors.push(...(error.document.errors ?? []));
    return draft;
  }
}

/** The draft with the limits that count now. What is not published yet has its first limit. */
function withLimits(draft: Content, limits: ReadonlyMap<string, number | null>): Content {
  return {
    ...draft,
    ...(draft.quotas && {
      quotas: draft.quotas.map((quota) => ({ ...quota, limit: limits.get(quota.id) ?? quota.limit })),
    }),
  };
}

/** How many sessions, or people, are replayed at most. */
function maxReplayed({ quotas = [] }: Content, { replayed, comparisons }: Limits): number {
  const compared = ({ when }: Quota) => (when === null ? 0 : questionsIn(when).length + attributesIn(when).length);
  const each = quotas.reduce((sum, quota) => sum + Math.max(compared(quota), 1), 0);
  return Math.min(replayed, Math.max(Math.floor(comparisons / (each || 1)), 1));
}

interface Replayed {
  replay: Replay;
  total: number;
  /** How many people who are not replayed may be in a quota, by its id. */
  waiting: ReadonlyMap<string, number>;
  /** How many have got a link. 0: no rate is known. */
  invited: number;
  roster: Forecast["roster"];
}

function replayAnswers(db: Reader, screenerId: number, content: Content, total: number, max: number): Replayed {
  const replay = new Replay(content, { repeated: new Set(listRepeated(db, screenerId)) });
  const answers = new DraftAnswers(db, content);
  const ids = listAnswered(db, screenerId, max);
  for (let at = 0; at < ids.length; at += PEOPLE_AT_ONCE)
    for (const person of answers.read(ids.slice(at, at + PEOPLE_AT_ONCE))) replay.replay(person);
  return {
    replay,
    total,
    waiting: waitingIn(db, screenerId, content, max),
    invited: countInvited(db, screenerId),
    roster: null,
  };
}

/** How many of those who have not begun are in each quota, or may be, by its id. Of more than are replayed, about as many. */
function waitingIn(db: Reader, screenerId: number, content: Content, max: number): Map<string, number> {
  const roster: Roster = { of: "WAITING", screenerId };
  const quotas = content.quotas?.map((quota) => ({ ...quota, mode: "COUNT" as const })) ?? [];
  // Each may be given any arm.
  const replay = new Replay({ ...content, quotas }, { assumesQualified: true, drawsArms: false });
  const areAlike = !attributesUsed(content).length;
  replayPeople(db, roster, replay, areAlike ? 1 : max);
  const times = countRoster(db, roster) / (replay.replayed || 1);
  return new Map(replay.cells.map(({ quota, given, unknown }) => [quota.id, Math.round((given + unknown) * times)]));
}

function replayRoster(db: Reader, screenerId: number, content: Content, max: number): Replayed {
  const assigned: Roster = { of: "ASSIGNED", screenerId };
  const isAssigned = countRoster(db, assigned) > 0;
  const roster: Roster = isAssigned ? assigned : { of: "WORKSPACE" };
  const replay = new Replay(content, { assumesQualified: true });
  replayPeople(db, roster, replay, max);
  const total = countRoster(db, roster);
  return { replay, total, waiting: new Map(), invited: 0, roster: isAssigned ? "ASSIGNED" : "WORKSPACE" };
}

const NO_ANSWERS: Answers = new Map();
const NO_ARMS: ArmIds = new Map();
const NO_QUESTIONS: ReadonlySet<string> = new Set();

/** Replays people by their attributes, at most so many. */
function replayPeople(db: Reader, roster: Roster, replay: Replay, max: number): void {
  const today = todayOf(() => UTC, Date.now());
  const person = (participant: number, attributes: string): Person => ({
    ...{ participant, attributes: knownAttributes(() => attributes), today, arms: NO_ARMS, answers: NO_ANSWERS },
    ...{ asked: NO_QUESTIONS, hasFinished: true, endQuestions: NO_QUESTIONS, setOutcome: null },
  });
  for (let after = 0; replay.replayed < max; ) {
    const rows = listRoster(db, roster, after, Math.min(PEOPLE_AT_ONCE, max - replay.replayed));
    if (!rows.length) return;
    for (const { participant, attributes } of rows) replay.replay(person(participant, attributes));
    after = rows.at(-1)!.key;
  }
}

interface Needed {
  estimate: number;
  low: number;
  high: number;
}

/**
 * How many invitations a quota still needs, by the share of those invited who took a place in it.
 * @param remaining places @param taken by how many of `invited` @returns null where no rate is known
 */
function invitationsNeeded(remaining: number, taken: number, invited: number): Needed | null {
  if (remaining <= 0) return { estimate: 0, low: 0, high: 0 };
  if (!taken || !invited) return null;
  const { low, high } = wilson(Math.min(taken, invited), invited);
  const at = (rate: number) => Math.ceil(remaining / rate);
  return { estimate: at(taken / invited), low: at(high), high: at(low) };
}
