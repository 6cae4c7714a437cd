// What speaks against a session that ends: looked for by what is at hand, in the transaction of its last answers. It decides nothing.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { ShownPage } from "../../nouns/content/answers.ts";
import type { Content } from "../../nouns/content/content.ts";
import { type Facts, holds, mayHold } from "../../nouns/content/holds.ts";
import type { Condition } from "../../nouns/question-types/comparisons.ts";
import { typeOf } from "../../nouns/question-types/registry.ts";
import type { SessionRow } from "../../nouns/sessions/queries.ts";
import type { VisitorMarks } from "../browsers.ts";
import { markOfWords, normalizedEmail, normalizedText } from "../normalized.ts";
import { countPageTimes } from "../page-times.ts";
import { type ComparedKind, hasSignals, insertMarks, insertSignal, listMarked, type NewSignal } from "../queries.ts";
import type { SignalKind, SignalSettings } from "../settings.ts";

/** What is known of the browser that has sent a page. */
export interface Visitor {
  /** Whether a field is filled in that people do not see. */
  isTrapped: boolean;
  /** The hash of the browser's cookie, and of the block of its address. Undefined: there is none. */
  marks(): VisitorMarks;
}

/** A session that ends. */
interface Ended {
  session: SessionRow;
  content: Content;
  /** The pages that were shown, as far as the person has come; and the answers that count. */
  reached: readonly ShownPage[];
  counting: Facts;
  /** How long the page was open that was just sent. */
  time: { index: number; ms: number } | undefined;
  visitor: Visitor | undefined;
  at: Date;
}

/** Inside a transaction: writes the signals of a session that ends. @returns what says whether it has any */
export function findSignals(db: Writer, settings: SignalSettings, ended: Ended): () => boolean {
  const { session, visitor, at } = ended;
  const found = [
    ...hurried(db, settings, ended),
    ...straightLines(settings, ended),
    ...failedChecks(settings, ended),
    ...sameAsOthers(db, settings, ended),
  ];
  for (const signal of found) insertSignal(db, session.id, signal, at);
  noteTrap(db, settings, session, visitor, at);
  return () => found.length > 0 || hasSignals(db, session.id);
}

/** Inside a transaction: whichever page it was on that the field was filled in. */
export function noteTrap(
  db: Writer,
  { hiddenField }: SignalSettings,
  session: SessionRow,
  visitor: Visitor | undefined,
  at: Date,
): void {
  if (hiddenField && visitor?.isTrapped) insertSignal(db, session.id, { kind: "HIDDEN_FIELD", evidence: {} }, at);
}

/** Half of the pages were open for less than the share of their median. Its own times count for those who come after. */
function hurried(db: Writer, { hurried: on }: SignalSettings, { session, time }: Ended): NewSignal[] {
  if (!on) return [];
  const times = timesOf(session, time);
  const medians = countPageTimes(db, session, times);
  const sum = { pages: 0, fasterPages: 0, ms: 0, medians: 0 };
  for (const [page, ms] of times) {
    const median = medians[page];
    if (median === undefined) continue;
    sum.pages += 1;
    sum.ms += ms;
    sum.medians += median;
    if (ms < on.share * median) sum.fasterPages += 1;
  }
  const { pages, fasterPages } = sum;
  if (!fasterPages || fasterPages * 2 < pages) return [];
  const [seconds, medianSeconds] = [inSeconds(sum.ms), inSeconds(sum.medians)];
  return [{ kind: "HURRIED", evidence: { pages, fasterPages, seconds, medianSeconds } }];
}

/** To a tenth. */
const inSeconds = (ms: number) => Math.round(ms / 100) / 10;

/** How long its pages were open in all, in ms, by their index. */
function timesOf({ page_times }: SessionRow, time: Ended["time"]): Map<number, number> {
  const kept: Record<string, number> = page_times === null ? {} : JSON.parse(page_times);
  const times = new Map<number, number>();
  for (const page in kept) times.set(Number(page.slice(1)), kept[page]!);
  if (time) times.set(time.index, (times.get(time.index) ?? 0) + time.ms);
  return times;
}

/** The same choice in all rows, in more than half of the matrices: one such matrix among several may be what somebody means. */
function straightLines({ straightLines: on }: SignalSettings, { counting }: Ended): NewSignal[] {
  if (!on) return [];
  let matrices = 0;
  const screenerQuestionIds: string[] = [];
  for (const { question, answer } of counting.values()) {
    if (!("rows" in question) || answer === null) continue;
    const { rows } = typeOf(question);
    let chosen = 0;
    let first: string | undefined;
    let isStraight = true;
    for (const { id } of question.rows) {
      const inRow = rows?.answer(answer, id);
      if (!inRow) continue;
      const text = JSON.stringify(inRow);
      first ??= text;
      isStraight &&= text === first;
      // The others say nothing more.
      if (++chosen >= on.minRows && !isStraight) break;
    }
    if (chosen < on.minRows) continue;
    matrices += 1;
    if (isStraight) screenerQuestionIds.push(question.id);
  }
  return screenerQuestionIds.length * 2 > matrices
    ? [{ kind: "STRAIGHT_LINES", evidence: { screenerQuestionIds } }]
    : [];
}

/** The checks and contradictions of the pages, whatever the person would say to questions that were not asked. */
function failedChecks(settings: SignalSettings, { content, reached, counting }: Ended): NewSignal[] {
  // Few rules hold: what was not asked is worked out for these alone.
  const isFailed = (rule: Condition | null | undefined) =>
    rule && holds(rule, counting) && !mayHold(rule, counting, unasked(content, reached), false);
  const failed = (kind: SignalKind, isOn: object | null, member: "attentionCheck" | "contradictsWhen"): NewSignal[] => {
    if (!isOn) return [];
    const screenerPageIds: string[] = [];
    for (const { page } of reached)
      if (isFailed(member === "attentionCheck" ? page.attentionCheck?.when : page.contradictsWhen))
        screenerPageIds.push(page.id);
    return screenerPageIds.length ? [{ kind, evidence: { screenerPageIds } }] : [];
  };
  return [
    ...failed("ATTENTION_CHECK", settings.attentionCheck, "attentionCheck"),
    ...failed("CONTRADICTION", settings.contradiction, "contradictsWhen"),
  ];
}

/** Whether something is the id of a question that was not asked on these pages. */
function unasked({ pages }: Content, reached: readonly ShownPage[]): (id: string) => boolean {
  const asked = new Set(reached.flatMap(({ questions }) => questions.map(({ id }) => id)));
  const questions = new Set(pages.flatMap((page) => page.questions.map(({ id }) => id)));
  return (id) => questions.has(id) && !asked.has(id);
}

/** What the session has in common with those of other people; both get the signal. Its own marks are there for those who come after. */
function sameAsOthers(db: Writer, settings: SignalSettings, ended: Ended): NewSignal[] {
  const { session, at } = ended;
  const own = marksOf(db, settings, ended);
  const byKind = new Map<ComparedKind, NewSignal>();
  for (const hash of insertMarks(db, session.id, own, at)) {
    const { kind, from, questionId } = own.get(hash)!;
    const others = listMarked(db, hash, session, from);
    if (others.length + 1 < from) continue;
    // Those who came before get it with the session that makes them too many.
    if (others.length + 1 === from)
      for (const id of others) {
        const evidence = questionId ? { screenerQuestionIds: [questionId] } : {};
        insertSignal(db, id, { kind, evidence, other: session.id }, at);
      }
    const former = byKind.get(kind);
    const questions = [...(former?.evidence.screenerQuestionIds ?? []), ...(questionId ? [questionId] : [])];
    const evidence = questions.length ? { screenerQuestionIds: questions } : {};
    byKind.set(kind, { kind, evidence, other: former?.other ?? others[0]! });
  }
  return [...byKind.values()];
}

interface Mark {
  kind: ComparedKind;
  /** From how many sessions with the mark on it is a signal. */
  from: number;
  /** Whose answer it is of. */
  questionId?: string;
}

function marksOf(db: Reader, settings: SignalSettings, { session, counting, visitor }: Ended): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const { sameText, sameEmail, sameBrowser, sameAddress } = settings;
  if (sameText)
    for (const { question, answer } of counting.values()) {
      if (!typeOf(question).isSearched || typeof answer !== "string" || answer.length < sameText.minLength) continue;
      const text = normalizedText(answer);
      if (text.length >= sameText.minLength)
        marks.set(markOfWords(session.screener_id, "text", text), {
          kind: "SAME_TEXT",
          from: 2,
          questionId: question.id,
        });
    }
  const email = sameEmail && emailOf(db, session);
  if (email)
    marks.set(markOfWords(session.screener_id, "email", normalizedEmail(email)), { kind: "SAME_EMAIL", from: 2 });
  const { browser, address } = sameBrowser || sameAddress ? (visitor?.marks() ?? {}) : {};
  if (sameBrowser && browser !== undefined) marks.set(browser, { kind: "SAME_BROWSER", from: 2 });
  if (sameAddress && address !== undefined) marks.set(address, { kind: "SAME_ADDRESS", from: sameAddress.minSessions });
  return marks;
}

/** What the person has typed at an open link, or the one that is known. */
function emailOf(db: Reader, { participant_id, claimed_email }: SessionRow): string | null {
  return claimed_email ?? db.value<string | null>("SELECT email FROM participant WHERE id = ?", participant_id) ?? null;
}
