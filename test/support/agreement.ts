// What is said of the answers to a study in several places, compared with what its sessions have come to.

import assert from "node:assert/strict";
import { strFromU8, unzipSync } from "fflate";
import type { Client } from "./client.ts";
import { readCsv } from "./csv.ts";
import { askedOn, type Shown } from "./random-drafts.ts";

/** What the lists, and the explanations, say of a study. */
export interface Said {
  content: Shown;
  sessions: Shown[];
  responses: Shown[];
  /** In the order of the sessions. */
  explained: Shown[];
  /** The ids of the sessions that programs have answered. */
  programs: ReadonlySet<string>;
}

const isStarted = ({ state }: Shown) => state !== "NOT_STARTED";
const startedIn = ({ sessions }: Said) => sessions.filter(isStarted);

export function agreeFunnel(funnel: Shown, { sessions, explained }: Said): void {
  const number = (holds: (session: Shown) => boolean) => sessions.filter(holds).length;
  const ended = (wanted: string) => explained.filter(({ outcome }) => outcome === wanted).length;
  assert.deepEqual(funnel, {
    ...{ assigned: sessions.length, opened: sessions.length, started: number(isStarted) },
    completed: number(({ state }) => state === "COMPLETED"),
    ...{ qualified: ended("QUALIFIED"), disqualified: ended("DISQUALIFIED"), unknown: ended("UNKNOWN") },
  });
}

/** How many have chosen something, by the label of it. */
function counted(rows: Shown[]): Record<string, number> {
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ label, count }) => [label, count]));
}

function tally(labels: readonly string[]): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const label of labels) numbers[label] = (numbers[label] ?? 0) + 1;
  return numbers;
}

/** The charts count what was answered, and the pages of results where sessions are. */
export function agreeResults(results: Shown, { content, responses, explained, ...rest }: Said): void {
  const ended = startedIn({ content, responses, explained, ...rest }).filter(({ state }) => state === "COMPLETED");
  const reasons = tally(ended.map(({ outcomeReason }) => outcomeReason).filter(Boolean));
  const sum = (member: string) => results.pages.reduce((all: number, page: Shown) => all + page[member], 0);
  assert.equal(sum("noConsent"), reasons.NO_CONSENT ?? 0);
  assert.ok(sum("screenedOut") <= (reasons.SCREENED_OUT ?? 0));
  for (const question of content.pages.flatMap(askedOn)) {
    const { chart } = results.questions.find((one: Shown) => one.screenerQuestionId === question.id);
    const answers: Shown[] = responses
      .filter((one) => one.screenerQuestionId === question.id && one.answer !== null)
      .map(({ answer }) => answer);
    if (chart.kind === "HISTOGRAM") {
      if (answers.every((answer) => typeof answer === "number"))
        assert.equal(
          chart.rows.reduce((all: number, { count }: Shown) => all + count, 0),
          answers.length,
        );
    } else if (chart.kind === "MATRIX") {
      for (const [at, row] of question.rows.entries()) {
        const chosen = answers.flatMap((answer) => answer.rows.filter((one: Shown) => one.rowId === row.id));
        assert.equal(chart.matrixRows[at].answered, chosen.length);
        const texts = chosen.flatMap((one) => one.choices.map(({ text }: Shown) => text));
        assert.deepEqual(counted(chart.matrixRows[at].rows), tally(texts));
      }
    } else if (question._type === "ScreenerRankingQuestion")
      assert.deepEqual(counted(chart.rows), tally(answers.map(([first]: Shown) => first.text)));
    else if (chart.kind === "OPTIONS" && answers.every(Array.isArray))
      assert.deepEqual(
        counted(chart.rows.filter(({ isWriteIn }: Shown) => !isWriteIn)),
        tally(answers.flat().flatMap(({ text, isWriteIn }) => (isWriteIn ? [] : [text]))),
      );
  }
}

/** The table of answers has what the sessions and the responses say, as JSON, as NDJSON and as CSV; so has the file for SPSS, where a variable is an answer. */
export async function agreeTables(client: Client, screener: string, said: Said): Promise<void> {
  const started = startedIn(said);
  const { content, responses, sessions, explained } = said;
  const outcomeOf = (session: Shown) => explained[sessions.indexOf(session)]!.outcome;
  const questions: Shown[] = content.pages.flatMap(askedOn);
  const keyed = questions.map((question) => [`answers.${question.key ?? question.id}`, question] as const);
  const columns = ["session.id", "session.outcome", "session.outcomeReason", ...keyed.map(([name]) => name)].join(",");
  const path = `/screeners/${screener}/answers`;
  const page = await client.get(`${path}?columns=${encodeURIComponent(columns)}`);
  assert.equal(page.status, 200, page.text);
  const all = `${path}?columns=${encodeURIComponent(columns)}`;
  const [ndjson, csv] = await Promise.all([
    client.call("GET", all, { headers: { accept: "application/x-ndjson" } }),
    client.call("GET", all, { headers: { accept: "text/csv" } }),
  ]);
  const lines = ndjson.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines, page.body.items);
  const rows = readCsv(csv.text);
  assert.deepEqual(
    rows.map((row) => row["session.id"]),
    lines.map(({ screenerSessionId }) => screenerSessionId),
  );
  assert.deepEqual(new Set(lines.map((line) => line.screenerSessionId)), new Set(started.map(({ id }) => id)));
  for (const [at, { screenerSessionId, values }] of lines.entries()) {
    const session = started.find(({ id }) => id === screenerSessionId)!;
    assert.deepEqual(
      [values["session.outcome"], values["session.outcomeReason"]],
      [outcomeOf(session), session.outcomeReason],
    );
    for (const [name, { id }] of keyed) {
      const given = responses.find(
        (one) => one.screenerSessionId === session.id && one.screenerQuestionId === id,
      )?.answer;
      assert.deepEqual(values[name] ?? null, given ?? null, `${name} ${ndjson.text}`);
      assert.equal(rows[at]![name] !== "", (given ?? null) !== null, `${name} ${csv.text}`);
    }
  }
}

/** The file for SPSS has a record for each session, with the numbers, the positions of what was chosen, and which questions were skipped. */
export async function agreeSpss(client: Client, screener: string, said: Said): Promise<void> {
  const { apiKey, apiSecret } = client.credentials;
  const file = await fetch(`${client.url}/screeners/${screener}/export`, {
    headers: {
      ...{ accept: "application/x-spss-syntax" },
      ...{ "x-service-api-key": apiKey!, "x-service-api-secret": apiSecret! },
    },
  });
  assert.equal(file.status, 200);
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const records = readCsv(`\uFEFF${strFromU8(files["responses.csv"]!)}`);
  assert.deepEqual(
    records.map((record) => record["session.id"]),
    startedIn(said).map(({ id }) => id),
  );
  const keyed = said.content.pages.flatMap(askedOn).filter(({ key }: Shown) => key !== null);
  for (const record of records)
    for (const question of keyed) {
      const given = said.responses.find(
        (one) => one.screenerSessionId === record["session.id"] && one.screenerQuestionId === question.id,
      );
      const wanted = inSpss(question, given);
      if (wanted !== undefined) assert.equal(record[question.key], wanted, `${question.key} ${JSON.stringify(record)}`);
    }
}

const SKIPPED = "-99";

/** What a variable has of a response. Undefined: the question has several variables, or a text is written otherwise. */
function inSpss({ _type, options }: Shown, given: Shown | undefined): string | undefined {
  const isNumber = _type === "ScreenerNumericQuestion";
  if (!isNumber && _type !== "ScreenerScaleQuestion" && _type !== "ScreenerSingleSelectQuestion") return undefined;
  if (given === undefined) return "";
  if (given.answer === null) return isNumber ? "" : SKIPPED;
  if (typeof given.answer === "number") return String(given.answer);
  const [{ optionId, isWriteIn }] = given.answer;
  return String((isWriteIn ? options.length : options.findIndex(({ id }: Shown) => id === optionId)) + 1);
}

/**
 * Of whom a program has left out a consent that a condition asks about, and a rule has screened them out. That it was left out is not
 * recorded: it would be a refusal. So a forecast may not know that they are out.
 */
function isDoubtful({ content, responses }: Said, { id, outcomeReason }: Shown): boolean {
  if (outcomeReason !== "SCREENED_OUT") return false;
  const given = responses.filter(({ screenerSessionId }) => screenerSessionId === id);
  return content.pages
    .flatMap(askedOn)
    .some(
      (one: Shown) =>
        one._type === "ScreenerConsentQuestion" &&
        one.required &&
        isAskedAbout(content, one.id) &&
        !given.some(({ screenerQuestionId }) => screenerQuestionId === one.id),
    );
}

/**
 * What else a forecast may say of somebody who has answered by a program, which need not answer page by page: how it has sent its answers is not
 * recorded. OUT, or the name of the quota that turns them away.
 */
function otherEnds(said: Said, quotas: Shown[], { session, about }: Shown): string[] {
  const { content, responses, programs } = said;
  if (!programs.has(session.id)) return [];
  const given = responses.filter(({ screenerSessionId }) => screenerSessionId === session.id);
  // Without completing the session, it has sent the last answers: a quota ends it before the rules of its end are looked at.
  const isBelow = about.rules.some(({ kind, result }: Shown) => kind === "QUALIFY_WHEN" && result === "DOES_NOT_HOLD");
  const always = content.pages.filter(({ showWhen }: Shown) => !showWhen).flatMap(askedOn);
  const hasAll = always.every(
    ({ id, showWhen }: Shown) => showWhen || given.some(({ screenerQuestionId }) => screenerQuestionId === id),
  );
  if (session.outcomeReason === "OVER_QUOTA") return isBelow && hasAll ? [OUT] : [];
  // It has left out what a quota asks about and gone on: only the end of the session makes that a skipped question.
  const { quotas: cells, assignments } = content;
  const isLeftOut = given.some(
    ({ answer, screenerQuestionId }) => answer === null && isAskedAbout({ cells, assignments }, screenerQuestionId),
  );
  if (session.outcomeReason !== "SCREENED_OUT" || !isLeftOut) return [];
  return quotas.filter(({ id, mode }) => mode === "LIMIT" && isInside(about, id)).map(({ name }) => name);
}

const OUT = "screened out";

/** Whether the answers are in a quota; null: that is not known. */
const isInside = (about: Shown, id: string): boolean | null =>
  about.quotas.find(({ screenerQuotaId }: Shown) => screenerQuotaId === id).isIn;

/** Whether a condition is about this question. */
const isAskedAbout = (content: Shown, id: string) => JSON.stringify(content).includes(`"questionId":"${id}"`);

/**
 * The forecast says of the answers that are there what has come of them: also how many were turned away, by which quota, and of whom it is not
 * known. The sessions were answered one after the other.
 */
export function agreeForecast(forecast: Shown, quotas: Shown[], said: Said): void {
  const { sessions, explained } = said;
  const all = sessions
    .map((session, at) => ({ session, about: explained[at]! }))
    .filter((one) => isStarted(one.session));
  const { total, replayed, screenedOut } = forecast;
  assert.deepEqual([total, replayed], [all.length, all.length]);
  const nameOf = (id: string) => quotas.find((quota) => quota.id === id)!.name;
  const isTurned = ({ session }: Shown) => session.outcomeReason === "OVER_QUOTA";
  const isOut = ({ session, about }: Shown) =>
    session.state === "COMPLETED"
      ? ["SCREENED_OUT", "NO_CONSENT"].includes(session.outcomeReason)
      : about.judgedNow?.outcome === "DISQUALIFIED";
  /** OUT, the quota that has turned them away, or null. */
  const endOf = (one: Shown) => (isOut(one) ? OUT : isTurned(one) ? nameOf(one.session.outcomeQuotaIds[0]) : null);
  // Whoever is on the way holds places, which a forecast gives to those who come to the end: also to those who have found none any more.
  const begun = all.findIndex(({ session }) => session.state === "IN_PROGRESS");
  const turnedByHeld = begun < 0 ? 0 : all.slice(begun).filter(isTurned).length;
  const doubtful = all.filter(({ session }) => isDoubtful(said, session)).length;
  for (const { taken, limit, mode, name } of forecast.quotas)
    assert.ok(mode !== "LIMIT" || limit === null || taken <= limit, `${name}: ${taken} of ${limit}`);
  const cells = forecast.quotas.map(({ name, taken, turnedAway, turnedAwayBy, people, limit }: Shown) => ({
    ...{ name, taken, turnedAway, people, limit },
    by: Object.fromEntries(turnedAwayBy.map((one: Shown) => [one.name, one.count])),
  }));
  const waiting = sessions.length - all.length;
  /** @param ends what has come of each */
  const agreeWith = (ends: (string | null)[]) => {
    const out = ends.filter((end) => end === OUT).length;
    const [least, most] = [out - doubtful, out + turnedByHeld];
    assert.ok(screenedOut >= least && screenedOut <= most, `screened out: ${screenedOut} of ${least} to ${most}`);
    if (turnedByHeld) return;
    const left = all.map((one, at) => ({ ...one, end: ends[at]! })).filter(({ end }) => end !== OUT);
    const wanted = quotas.map(({ id, name, taken, limit }, at) => {
      const turned = left.filter(({ about, end }) => end !== null && isInside(about, id) === true);
      const known = left.filter(({ session, about, end }) =>
        session.state === "COMPLETED" ? end !== null && isInside(about, id) === null : isInside(about, id) !== false,
      ).length;
      const { people } = cells[at];
      const { unknown } = forecast.quotas[at];
      assert.ok(
        unknown >= known && unknown <= known + doubtful,
        `${name}: ${unknown} of ${known} to ${known + doubtful}`,
      );
      const fewest = taken + turned.length + unknown;
      assert.ok(
        people >= fewest && people <= fewest + waiting,
        `${name}: ${people} of ${fewest} to ${fewest + waiting}`,
      );
      return { name, taken, turnedAway: turned.length, people, limit, by: tally(turned.map(({ end }) => end!)) };
    });
    assert.deepEqual(cells, wanted);
  };
  const [recorded, ...others] = all.reduce<(string | null)[][]>(
    (some, one) => [endOf(one), ...otherEnds(said, quotas, one)].flatMap((end) => some.map((ends) => [...ends, end])),
    [[]],
  );
  try {
    agreeWith(recorded!);
  } catch (error) {
    if (!others.some((ends) => agrees(() => agreeWith(ends)))) throw error;
  }
}

function agrees(compare: () => void): boolean {
  try {
    compare();
    return true;
  } catch {
    return false;
  }
}
