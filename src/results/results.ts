// The resource declaration of a screener's results: how many have come how far, and what they have answered.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { uuid } from "../base/schemas.ts";
import { chart, interval } from "../nouns/question-types/charts/chart.ts";

const count = v.number();
const groupCounts = v.pipe(v.array(count), v.description("In the order of `groups`"));

const funnel = v.pipe(
  v.object({
    assigned: v.pipe(count, v.description("Screener participants")),
    opened: v.pipe(count, v.description("Active sessions")),
    started: count,
    completed: count,
    qualified: count,
    disqualified: count,
    unknown: v.pipe(count, v.description("Completed by a publication without rules")),
  }),
  v.title("ResultsFunnel"),
);

const day = v.pipe(
  v.object({
    date: v.pipe(v.string(), v.description("In the screener's `timeZone`, as 2026-01-31")),
    opened: count,
    started: count,
    completed: count,
    qualified: count,
  }),
  v.title("ResultsDay"),
);

const lastVersion = (what: string) =>
  v.pipe(v.nullable(v.number()), v.description(`The last version that had the ${what}; null: the newest has it`));

const page = v.pipe(
  v.object({
    screenerPageId: uuid,
    title: v.nullable(v.string()),
    lastVersion: lastVersion("page"),
    answered: v.pipe(count, v.description("Sessions with an answer on this page")),
    left: v.pipe(count, v.description("Sessions that are in progress, and whose last answer is on this page")),
    noConsent: v.pipe(count, v.description("Sessions that ended on this page, because consent was not given")),
    screenedOut: v.pipe(count, v.description("Sessions that were screened out, and whose last answer is on this page")),
    medianSeconds: v.pipe(
      v.nullable(v.number()),
      v.description(
        "For how long participants had the page open before they sent it: half of them longer. null if nobody has sent it in a browser",
      ),
    ),
  }),
  v.title("ResultsPage"),
);

/** What is said of a question's versions. */
const versionEntries = {
  prompt: v.pipe(v.string(), v.description("As in the newest version that has the question")),
  changedInVersion: v.pipe(
    v.nullable(v.number()),
    v.description("The version since which the question has this prompt; null: it never had another one"),
  ),
  formerPrompts: v.pipe(
    v.array(
      v.pipe(
        v.object({ prompt: v.string(), fromVersion: v.number(), toVersion: v.number() }),
        v.title("ResultsFormerPrompt"),
      ),
    ),
    v.description("What it was before, the newest first; at most 20"),
  ),
  lastVersion: lastVersion("question"),
};

export type QuestionVersions = { [Name in keyof typeof versionEntries]: v.InferOutput<(typeof versionEntries)[Name]> };

const question = v.pipe(
  v.object({
    screenerQuestionId: uuid,
    screenerPageId: uuid,
    questionType: v.string(),
    key: v.nullable(v.string()),
    ...versionEntries,
    answered: count,
    skipped: count,
    groupAnswered: groupCounts,
    chart,
  }),
  v.title("ResultsQuestion"),
);

export const Results = v.pipe(
  v.object({
    _type: v.literal("ScreenerResults"),
    screenerId: uuid,
    funnel: v.pipe(funnel, v.description("Of the screener as it is now, whatever the publication. Exact")),
    screenerPublicationId: v.pipe(
      v.nullable(uuid),
      v.description("The publication that all that follows is about, but `versions`; null: all publications together"),
    ),
    version: v.pipe(v.nullable(v.number()), v.description("Of that publication; null: all versions together")),
    versions: v.pipe(
      v.array(
        v.pipe(
          v.object({ screenerPublicationId: uuid, version: v.number(), sessions: count }),
          v.title("ResultsVersion"),
        ),
      ),
      v.description("All publications of the screener, the newest first, with their sessions that were not removed"),
    ),
    sessions: v.pipe(count, v.description("Sessions that were not removed, also those that have not started. Exact")),
    startedSessions: v.pipe(count, v.description("How many of them have started: answers are counted of these. Exact")),
    countedSessions: v.pipe(
      count,
      v.description(
        "As many as `sessions`, if all are counted. If they are fewer, they are a sample of those that have started; pages, groups and " +
          "questions are counted of the sample then, and shares have their intervals",
      ),
    ),
    days: v.pipe(
      v.array(day),
      v.description("Days on which something was done, the oldest first. At most the last 366. Exact"),
    ),
    pages: v.array(page),
    groups: v.pipe(
      v.array(
        v.pipe(v.object({ label: v.nullable(v.string()), sessions: count, ...interval }), v.title("ResultsGroup")),
      ),
      v.description(
        "What `splitBy` splits sessions that have started into, the largest first. null: all the others. Empty without `splitBy`",
      ),
    ),
    questionCount: v.pipe(count, v.description("Those of the newest version, and those that only former ones had")),
    splitQuestions: v.pipe(
      v.array(v.pipe(v.object({ screenerQuestionId: uuid, prompt: v.string() }), v.title("SplitQuestion"))),
      v.description("Questions with options, for `splitBy`. At most 500"),
    ),
    splitRows: v.pipe(
      v.array(
        v.pipe(
          v.object({ screenerQuestionId: uuid, rowId: uuid, prompt: v.string(), text: v.string() }),
          v.title("SplitRow"),
        ),
      ),
      v.description("Rows of matrices, for `splitBy` as `<screenerQuestionId>.<rowId>`. At most 500"),
    ),
    splitAssignments: v.pipe(
      v.array(v.pipe(v.object({ assignmentId: uuid, name: v.string() }), v.title("SplitAssignment"))),
      v.description("Assignments to arms, for `splitBy`"),
    ),
    splitQuotas: v.pipe(
      v.array(v.pipe(v.object({ screenerQuotaId: uuid, name: v.string() }), v.title("SplitQuota"))),
      v.description("Quotas, for `splitBy`: the groups are TAKEN and HELD. At most 500"),
    ),
    questions: v.pipe(
      v.array(question),
      v.description(
        "Those from `fromQuestion` on, at most `questions`: in the order of the newest version, then what only former ones had",
      ),
    ),
  }),
  v.title("ScreenerResults"),
);

export type Results = v.InferOutput<typeof Results>;

const drinks = (label: string, n: number) => ({
  label,
  from: null,
  to: null,
  isWriteIn: false,
  isFormer: false,
  count: n,
  groupCounts: [],
  low: null,
  high: null,
  meanRank: null,
  groupLows: null,
  groupHighs: null,
});

export const resultsExample: Results = {
  _type: "ScreenerResults",
  screenerId: exampleIds.screener,
  funnel: { assigned: 2, opened: 1, started: 1, completed: 1, qualified: 1, disqualified: 0, unknown: 0 },
  screenerPublicationId: null,
  version: null,
  versions: [{ screenerPublicationId: exampleIds.publication, version: 1, sessions: 1 }],
  sessions: 1,
  startedSessions: 1,
  countedSessions: 1,
  days: [{ date: "2026-01-31", opened: 1, started: 1, completed: 1, qualified: 1 }],
  pages: [
    {
      ...{ screenerPageId: exampleIds.page, title: "About you", lastVersion: null },
      ...{ answered: 1, left: 0, screenedOut: 0, noConsent: 0, medianSeconds: 8.4 },
    },
  ],
  groups: [],
  questionCount: 2,
  splitQuestions: [{ screenerQuestionId: exampleIds.drinkQuestion, prompt: "What do you drink in the morning?" }],
  splitRows: [],
  splitAssignments: [],
  splitQuotas: [],
  questions: [
    {
      screenerQuestionId: exampleIds.drinkQuestion,
      screenerPageId: exampleIds.page,
      questionType: "ScreenerSingleSelectQuestion",
      key: "drink",
      prompt: "What do you drink in the morning?",
      changedInVersion: null,
      formerPrompts: [],
      lastVersion: null,
      answered: 1,
      skipped: 0,
      groupAnswered: [],
      chart: { kind: "OPTIONS", rows: [drinks("Tea", 1), drinks("Coffee", 0)], statistics: null, matrixRows: null },
    },
  ],
};
