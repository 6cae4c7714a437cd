// What the results of a study should be, counted from the lists that the API shows: slowly, and without the product's code.

import type { Client } from "./client.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies, as in tests
type Row = Record<string, any>;

interface Asked {
  publicationId?: string | undefined;
  splitBy?: string | undefined;
}

/** What is compared: all but the funnel, and of histograms and words only how many have answered. */
export async function modelOf(client: Client, screener: string, { publicationId, splitBy }: Asked = {}) {
  const publications: Row[] = await client.all(`/screeners/${screener}/publications`);
  const ofScreener = `filter[screenerId][eq]=${screener}`;
  const roster = await client.get(`/screener-sessions?${ofScreener}`, { Accept: "application/x-ndjson" });
  const lines = roster.text.split("\n").filter(Boolean);
  const sessions: Row[] = lines.map((line) => JSON.parse(line)).filter(({ status }) => status !== "REMOVED");
  const wanted = publications.filter(({ id }) => publicationId === undefined || id === publicationId);
  const contents: Row[] = [];
  for (const { id } of wanted) contents.push((await client.get(`/screener-publications/${id}/content`)).body);
  const ours = sessions.filter((one) => wanted.some(({ id }) => id === one.screenerPublicationId));
  const started = ours.filter(({ state }) => state !== "NOT_STARTED");
  const startedIds = new Set(started.map(({ id }) => id));
  const responses: Row[] = (await client.all(`/screener-responses?${ofScreener}`)).filter((one) =>
    startedIds.has(one.screenerSessionId),
  );
  const questions = questionsOf(contents);
  const groups = groupsOf(questions, started, responses, splitBy);
  return {
    versions: publications.map(({ id, version }) => ({
      screenerPublicationId: id,
      version,
      sessions: sessions.filter((one) => one.screenerPublicationId === id).length,
    })),
    counts: [ours.length, started.length, ours.length],
    groups: groups.list.map(([label, ids]) => [label, ids.size]),
    pages: pagesOf(contents, started, responses),
    questions: questions.map((question) => countsOf(question, responses, groups.list)),
  };
}

/** The same of what the API says. */
export function comparable(results: Row) {
  return {
    versions: results.versions,
    counts: [results.sessions, results.startedSessions, results.countedSessions],
    groups: results.groups.map(({ label, sessions }: Row) => [label, sessions]),
    pages: results.pages.map((page: Row) => [
      ...[page.screenerPageId, page.lastVersion, page.answered, page.left, page.screenedOut],
    ]),
    questions: results.questions.map((question: Row) => ({
      id: question.screenerQuestionId,
      type: question.questionType,
      prompt: question.prompt,
      changedInVersion: question.changedInVersion,
      formerPrompts: question.formerPrompts,
      lastVersion: question.lastVersion,
      counts: [question.answered, question.skipped, question.groupAnswered],
      rows:
        question.chart.kind === "OPTIONS"
          ? question.chart.rows.map((row: Row) => [row.label, row.isWriteIn, row.isFormer, row.count, row.groupCounts])
          : question.chart.rows.every((row: Row) => row.low === null && row.groupLows === null),
    })),
  };
}

interface Question {
  id: string;
  type: string;
  /** Each with its version, the newest first. */
  versions: [version: number, question: Row][];
  newest: number;
}

function questionsOf(contents: Row[]): Question[] {
  const found: Question[] = [];
  for (const { version, screenerPublicationId: publication, pages } of contents)
    for (const question of pages.flatMap((page: Row) => page.questions)) {
      let known = found.find(({ id, type }) => id === question.id && type === question._type);
      if (!known) {
        known = { id: question.id, type: question._type, versions: [], newest: contents[0]!.version };
        found.push(known);
      }
      known.versions.push([version, { ...question, publication }]);
    }
  return found;
}

/** The name of an option in the words of the newest version that has it. */
function nameOf({ versions }: Question, text: string, version: number): string {
  const [, asked] = versions.find(([one]) => one === version)!;
  const id = asked.options.find((option: Row) => option.text === text).id;
  const options = versions.flatMap(([, question]) => question.options);
  return options.find((option: Row) => option.id === id).text;
}

type GroupList = [label: string | null, ids: Set<string>][];

function groupsOf(questions: Question[], started: Row[], responses: Row[], splitBy: string | undefined) {
  if (splitBy === undefined) return { list: [] as GroupList };
  const labels = new Map<string, Set<string>>();
  const others = new Set<string>();
  for (const session of started) {
    const label = labelOf(session);
    if (label === undefined) others.add(session.id);
    else labels.set(label, (labels.get(label) ?? new Set()).add(session.id));
  }
  const list: GroupList = [...labels].sort(
    ([one, ids], [other, others]) => others.size - ids.size || (one < other ? -1 : 1),
  );
  for (const [, ids] of list.splice(6)) for (const id of ids) others.add(id);
  if (others.size) list.push([null, others]);
  return { list };

  function labelOf(session: Row): string | undefined {
    if (splitBy!.startsWith("attributes.")) {
      const value = session.attributes[splitBy!.slice("attributes.".length)];
      return value === undefined ? undefined : String(value);
    }
    const question = questions.find(({ id }) => id === splitBy)!;
    const given = responses.find(
      (one) => one.screenerSessionId === session.id && one.screenerQuestionId === splitBy && one.answer !== null,
    );
    if (!given) return undefined;
    if (!Array.isArray(given.answer)) return String(given.answer);
    return given.answer
      .map(({ text, isWriteIn }: Row) =>
        isWriteIn ? `${text} (write-in)` : nameOf(question, text, versionOf(question, given)),
      )
      .join("; ");
  }
}

/** Which version was answered: one that has the option's text, of the response's publication. */
function versionOf(question: Question, { screenerPublicationId }: Row): number {
  return question.versions.find(([, one]) => one.publication === screenerPublicationId)?.[0] ?? Number.NaN;
}

function countsOf(question: Question, responses: Row[], groups: GroupList) {
  const { id, type, versions, newest } = question;
  const mine = responses.filter((one) => one.screenerQuestionId === id && one.questionType === type);
  const given = mine.filter(({ answer }) => answer !== null);
  const among = (some: Row[]) => groups.map(([, ids]) => some.filter((one) => ids.has(one.screenerSessionId)).length);
  const wordings: Row[] = [];
  for (const [version, { prompt }] of versions) {
    const last = wordings.at(-1);
    if (last?.prompt === prompt) last!.fromVersion = version;
    else wordings.push({ prompt, fromVersion: version, toVersion: version });
  }
  return {
    id,
    type,
    prompt: versions[0]![1].prompt,
    changedInVersion: wordings.length > 1 ? wordings[0]!.fromVersion : null,
    formerPrompts: wordings.slice(1),
    lastVersion: versions[0]![0] === newest ? null : versions[0]![0],
    counts: [given.length, mine.length - given.length, among(given)],
    rows: "options" in versions[0]![1] ? rowsOf(question, given, among) : true,
  };
}

function rowsOf(question: Question, given: Row[], among: (some: Row[]) => number[]) {
  const { versions } = question;
  const ids = new Set<string>(versions.flatMap(([, one]) => one.options.map((option: Row) => option.id)));
  const isIn = (index: number, id: string) => versions[index]![1].options.some((option: Row) => option.id === id);
  const rows = [...ids].map((id) => {
    const [, newest] = versions.find((_, index) => isIn(index, id))!;
    const label = newest.options.find((option: Row) => option.id === id).text;
    const chosen = given.filter((one) => {
      const [, asked] = versions.find(([version]) => version === versionOf(question, one))!;
      const text = asked.options.find((option: Row) => option.id === id)?.text;
      return one.answer.some((choice: Row) => !choice.isWriteIn && choice.text === text);
    });
    return [label, false, !isIn(0, id), chosen.length, among(chosen)];
  });
  const withWriteIn = versions.findIndex(([, one]) => one.allowsWriteIn);
  if (withWriteIn < 0) return rows;
  const written = given.filter(({ answer }) => answer.some((choice: Row) => choice.isWriteIn));
  return [...rows, ["Something else", true, withWriteIn > 0, written.length, among(written)]];
}

function pagesOf(contents: Row[], started: Row[], responses: Row[]) {
  const ids = new Set<string>(contents.flatMap(({ pages }) => pages.map(({ id }: Row) => id)));
  return [...ids].map((id) => {
    const last = contents.find(({ pages }) => pages.some((page: Row) => page.id === id))!;
    const answered = started.filter((session) => pagesWith(session).includes(id));
    const ended = started.filter((session) => pagesWith(session).at(-1) === id);
    return [
      id,
      last === contents[0] ? null : last.version,
      answered.length,
      ended.filter(({ state }) => state === "IN_PROGRESS").length,
      ended.filter(({ state, outcomeReason }) => state === "COMPLETED" && outcomeReason === "SCREENED_OUT").length,
    ];
  });

  /** The pages on which a session has answers, in their order. */
  function pagesWith(session: Row): string[] {
    const content = contents.find(
      ({ screenerPublicationId }) => screenerPublicationId === session.screenerPublicationId,
    )!;
    const mine = responses.filter(({ screenerSessionId }) => screenerSessionId === session.id);
    return content.pages
      .map(({ id }: Row) => id)
      .filter((page: string) => mine.some(({ screenerPageId }) => screenerPageId === page));
  }
}
