// Counts sessions and their answers, page by page and question by question, as they are read.

import type { CountedRow, Counter } from "../nouns/question-types/charts/chart.ts";
import { Growing } from "../nouns/question-types/charts/growing.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import type { Groups } from "./groups.ts";
import { type Interval, intervalOf } from "./interval.ts";
import type { Results } from "./results.ts";
import type { CountedSession } from "./sessions.ts";
import { type Positions, type Study, type StudyQuestion, versionsOf } from "./study.ts";

/** Which questions have their charts. */
export interface WantedQuestions {
  fromQuestion: number;
  questions: number;
}

interface PageCount {
  answered: number;
  left: number;
  screenedOut: number;
  noConsent: number;
  /** How long sessions had it open, in ms. */
  times: Growing<Float64Array>;
}

interface QuestionCount {
  question: StudyQuestion;
  skipped: number;
  /** Of all, and of each group. */
  answered: number;
  groupAnswered: number[];
  counter: Counter<unknown>;
}

export class Counts {
  readonly #study: Study;
  readonly #groups: Groups | undefined;
  readonly #pages: PageCount[];
  /** Of those that are wanted, by their position in the study. */
  readonly #questions: (QuestionCount | undefined)[] = [];
  #sessions = 0;

  constructor(study: Study, wanted: WantedQuestions, groups?: Groups) {
    this.#study = study;
    this.#groups = groups;
    this.#pages = study.pages.map(() => ({
      answered: 0,
      left: 0,
      screenedOut: 0,
      noConsent: 0,
      times: new Growing(Float64Array),
    }));
    const { fromQuestion: from, questions: count } = wanted;
    const charted = study.questions.slice(from, from + count);
    const counting = { groups: groups?.list.length ?? 0, questions: charted.length };
    for (const [at, question] of charted.entries())
      this.#questions[from + at] = {
        question,
        skipped: 0,
        answered: 0,
        groupAnswered: new Array<number>(counting.groups).fill(0),
        counter: typeOf(question.versions[0]!).counter(question.versions, counting),
      };
  }

  /** How many sessions were counted. */
  get sessions(): number {
    return this.#sessions;
  }

  /** @param answers of these sessions, as `readAnswers` gives them */
  add(sessions: readonly CountedSession[], answers: readonly unknown[]): void {
    let at = 0;
    for (const [index, session] of sessions.entries()) {
      const positions = this.#study.positions.get(session.publication)!;
      const group = this.#groups?.of[this.#sessions];
      let lastPage: number | undefined;
      // They come session by session, in the order of questions, so a page's come one after the other.
      for (; answers[at] === index; at += 3) {
        const position = answers[at + 1] as number;
        const page = positions.pageOf[position];
        if (page === undefined) continue;
        if (page !== lastPage) this.#pages[page]!.answered++;
        lastPage = page;
        this.#count(positions, position, answers[at + 2], group);
      }
      this.#countEnd(session, positions, lastPage);
      this.#sessions++;
    }
    if (at !== answers.length) throw new Error("Answers came in another order than their sessions.");
  }

  #count({ questions, versions }: Positions, position: number, shown: unknown, group: number | undefined): void {
    const count = this.#questions[questions[position]!];
    if (!count) return;
    if (shown === null) {
      count.skipped++;
      return;
    }
    count.answered++;
    if (group !== undefined) count.groupAnswered[group]!++;
    count.counter.add(shown, versions[position]!, group);
  }

  #countEnd({ state, reason, times }: CountedSession, { pages }: Positions, lastPage: number | undefined): void {
    if (lastPage !== undefined) {
      if (state === "IN_PROGRESS") this.#pages[lastPage]!.left++;
      else if (reason === "SCREENED_OUT") this.#pages[lastPage]!.screenedOut++;
      else if (reason === "NO_CONSENT") this.#pages[lastPage]!.noConsent++;
    }
    if (times === null) return;
    for (const [key, ms] of Object.entries(JSON.parse(times) as Record<string, number>)) {
      const page = pages[Number(key.slice(1))];
      if (page !== undefined) this.#pages[page]!.times.push(ms);
    }
  }

  pages(): Results["pages"] {
    return this.#study.pages.map(({ id, title, lastVersion }, index) => {
      const { times, ...counts } = this.#pages[index]!;
      return { screenerPageId: id, title, lastVersion, ...counts, medianSeconds: medianSeconds(times.values) };
    });
  }

  /** @param isSample whether shares have intervals */
  questions(isSample: boolean): Results["questions"] {
    return this.#questions.flatMap((count) => (count ? [resultsOf(count, isSample)] : []));
  }

  groups(isSample: boolean): Results["groups"] {
    const list = this.#groups?.list ?? [];
    return list.map(({ label, sessions }) => ({ label, sessions, ...shareOf(sessions, this.#sessions, isSample) }));
  }
}

function resultsOf(count: QuestionCount, isSample: boolean): Results["questions"][number] {
  const { question, answered, skipped, groupAnswered, counter } = count;
  const newest = question.versions[0]!;
  const { matrixRows, ...chart } = counter.result();
  const withIntervals = (rows: readonly CountedRow[], of: number, groupsOf: readonly number[]) =>
    rows.map((row) => {
      const groups = isSample ? row.groupCounts.map((n, group) => intervalOf(n, groupsOf[group]!)) : null;
      return {
        ...row,
        ...shareOf(row.count, of, isSample),
        groupLows: groups?.map(({ low }) => low) ?? null,
        groupHighs: groups?.map(({ high }) => high) ?? null,
      };
    });
  return {
    screenerQuestionId: question.id,
    screenerPageId: question.pageId,
    questionType: newest._type,
    key: newest.key ?? null,
    ...versionsOf(question),
    answered,
    skipped,
    groupAnswered,
    chart: {
      ...chart,
      rows: withIntervals(chart.rows, answered, groupAnswered),
      matrixRows:
        matrixRows?.map((row) => ({ ...row, rows: withIntervals(row.rows, row.answered, row.groupAnswered) })) ?? null,
    },
  };
}

function shareOf(count: number, of: number, isSample: boolean): Interval | { low: null; high: null } {
  return isSample ? intervalOf(count, of) : { low: null, high: null };
}

/** To a tenth of a second. */
function medianSeconds(times: Float64Array): number | null {
  const { length } = times;
  if (!length) return null;
  const sorted = times.slice().sort();
  const ms = (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2;
  return Math.round(ms / 100) / 10;
}
