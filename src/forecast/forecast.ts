// Forecasts what quotas would have let through: in a thread, from a snapshot, by replaying those who have answered, or who may be asked.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { ArmIds } from "../arms/queries.ts";
import { attributesUsed, deadEndsOf } from "../nouns/content/advice/warnings.ts";
import type { Answers } from "../nouns/content/answers.ts";
import type { Content } from "../nouns/content/content.ts";
import { knownAttributes } from "../nouns/content/holds.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { todayOf, UTC } from "../nouns/screeners/time-zones.ts";
import { wilson } from "../results/interval.ts";
import { aboutDraft } from "./about-draft.ts";
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
import { maxLookedAt, wantedContent } from "./wanted.ts";

interface Limits {
  /** More sessions, or people, are not replayed. */
  replayed: number;
  /** Nor more than so many times the comparisons of all quotas. */
  comparisons?: number;
}

const LIMITS: Limits = { replayed: 250_000 };

export const forecastQuotas = aboutDraft("forecast-quotas", (db, screenerUid, sent) => forecast(db, screenerUid, sent));

/** Call it inside a snapshot. @throws Problem screener_not_found, 400 with all errors, quota_rule_changed */
export function forecast(db: Reader, screenerUid: string, sent: unknown, most = LIMITS): Forecast {
  const { id } = getScreener(db, screenerUid);
  const { content, sent: asked, known } = wantedContent(db, id, sent, ForecastShell);
  const answered = countAnswered(db, id);
  const chosen = asked.basis ?? (answered ? "ANSWERS" : "ROSTER");
  const max = maxLookedAt(content, most.replayed, most.comparisons);
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
    ...{ asked: NO_QUESTIONS, hasFinished: true, endQuestions: NO_QUESTIONS, hasRefused: false, setOutcome: null },
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
