// What quotas must come to: a model of claims that is written beside the service, from what is promised, and without its code.
// A test reports to it what happens, and compares. Questions are named by their keys, quotas by their names.

export type Rule =
  | { all: Rule[] }
  | { any: Rule[] }
  | { not: Rule }
  | { questionId: string; equals: string }
  | { questionId: string; isNot: string }
  | { questionId: string; answered: boolean }
  | { questionId: string; lessThan: number }
  | { attribute: string; is: string }
  | { attribute: string; exists: boolean };

export interface Question {
  key: string;
  required: boolean;
  showWhen: Rule | null;
}

export interface Page {
  title: string;
  showWhen: Rule | null;
  disqualifyWhen: Rule | null;
  questions: Question[];
}

export interface Cell {
  name: string;
  when: Rule | null;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  at: "NOW" | "END";
}

/** What a publication has. */
export interface Version {
  pages: Page[];
  qualifyWhen: Rule | null;
  cells: Cell[];
}

/** null: skipped. */
export type Value = string | number | null;
export type Values = ReadonlyMap<string, Value>;
export type Attributes = Readonly<Record<string, unknown>>;

const OPEN = Symbol("an answer that may still come");
/** What conditions see. What is not shown, or was not answered when the session ended, is not in it. */
type Seen = ReadonlyMap<string, Value | typeof OPEN>;
/** undefined: that is not settled yet. */
type Truth = boolean | undefined;

/** Three-valued: what is open makes a result open only where it matters. */
export function truthOf(rule: Rule | null, seen: Seen, attributes: Attributes): Truth {
  if (rule === null) return true;
  const inner = (one: Rule) => truthOf(one, seen, attributes);
  if ("all" in rule) return and(rule.all.map(inner));
  if ("any" in rule) return not(and(rule.any.map((one) => not(inner(one)))));
  if ("not" in rule) return not(inner(rule.not));
  if ("attribute" in rule) {
    const value = attributes[rule.attribute];
    return "exists" in rule ? (value !== undefined) === rule.exists : value === rule.is;
  }
  const value = seen.get(rule.questionId);
  if (value === OPEN) return undefined;
  const isAnswered = value !== undefined && value !== null;
  if ("answered" in rule) return isAnswered === rule.answered;
  // Also where there is no answer.
  if ("isNot" in rule) return value !== rule.isNot;
  if (!isAnswered) return false;
  return "equals" in rule ? value === rule.equals : Number(value) < rule.lessThan;
}

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);
const and = (truths: Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;

/** What conditions see of the answers. @param isOver whether none comes any more */
export function seenOf(pages: Page[], answers: Values, attributes: Attributes, isOver: boolean): Seen {
  const seen = new Map<string, Value | typeof OPEN>();
  for (const page of pages) {
    const isPageShown = truthOf(page.showWhen, seen, attributes);
    for (const { key, showWhen } of page.questions) {
      const isShown = and([isPageShown, truthOf(showWhen, seen, attributes)]);
      if (isShown === false) continue;
      if (isShown && answers.has(key)) seen.set(key, answers.get(key)!);
      else if (!isOver) seen.set(key, OPEN);
    }
  }
  return seen;
}

/** The pages and questions that are shown for these answers. */
export function shownOf(pages: Page[], answers: Values, attributes: Attributes): Page[] {
  const seen = seenOf(pages, answers, attributes, true);
  const isShown = ({ showWhen }: Pick<Page, "showWhen">) => truthOf(showWhen, seen, attributes) === true;
  return pages.filter(isShown).map((page) => ({ ...page, questions: page.questions.filter(isShown) }));
}

/** The cells that a session is in, as far as that is settled. */
export function cellsOf({ pages, cells }: Version, answers: Values, attributes: Attributes, isOver: boolean): Cell[] {
  const seen = seenOf(pages, answers, attributes, isOver);
  return cells.filter(({ when }) => truthOf(when, seen, attributes) === true);
}

const asksQuestions = (rule: Rule | null): boolean => JSON.stringify(rule).includes('"questionId"');

export interface ModelPlace {
  participant: string;
  session: string;
  state: "HELD" | "TAKEN" | "RELEASED";
  reason: string | null;
  isOverLimit: boolean;
}

/** A cell, over all versions. */
export interface ModelQuota {
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  isPaused: boolean;
  isRetired: boolean;
  places: ModelPlace[];
  /** Taken places of people who were erased; and how many of these were over the limit. */
  erased: number;
  erasedOver: number;
}

export interface ModelSession {
  id: string;
  assignment: string;
  participant: string;
  version: Version;
  status: string;
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  outcomeReason: string | null;
  /** The names of the cells that were full. */
  full: string[];
  answers: Map<string, Value>;
  /** The cells that it was in when it ended. */
  cells: Cell[];
  /** What the rules had come to, if a person has set the outcome. */
  judged: Pick<ModelSession, "outcome" | "outcomeReason"> | null;
}

/** What a submission is answered with. */
export type Reply = "ok" | "session_closed" | "session_completed" | "quota_reached" | "invalid_request";

export class QuotaModel {
  readonly quotas = new Map<string, ModelQuota>();
  readonly sessions = new Map<string, ModelSession>();
  /** By participant. */
  readonly attributes = new Map<string, Attributes>();

  publish({ cells }: Version): void {
    for (const quota of this.quotas.values()) quota.isRetired = true;
    for (const { name, mode, limit } of cells) {
      const known = this.quotas.get(name);
      const fresh = { limit, isPaused: false, places: [], erased: 0, erasedOver: 0 };
      this.quotas.set(name, { ...(known ?? fresh), limit: known?.limit ?? limit, mode, isRetired: false });
    }
  }

  open(id: string, assignment: string, participant: string, version: Version): void {
    if (this.sessions.has(id)) return;
    const fresh = { outcome: null, outcomeReason: null, full: [], answers: new Map(), cells: [], judged: null };
    const progress = { status: "ACTIVE", state: "NOT_STARTED" } as const;
    this.sessions.set(id, { id, assignment, participant, version, ...progress, ...fresh });
  }

  /** Takes answers. What is not answered "ok" changes nothing. @param isPartial whether somebody went back */
  submit(id: string, given: Values, { complete = false, isPartial = false } = {}): Reply {
    const session = this.sessions.get(id)!;
    const { version, participant, answers: before } = session;
    const attributes = this.#attributesOf(participant);
    if (session.status !== "ACTIVE") return "session_closed";
    if (session.state === "COMPLETED") return "session_completed";
    if (session.state === "NOT_STARTED" && this.isFullAtStart(session)) return "quota_reached";
    const merged = new Map([...before, ...given]);
    const shown = shownOf(version.pages, merged, attributes);
    const questions = shown.flatMap((page) => page.questions);
    const shownKeys = new Set(questions.map(({ key }) => key));
    const lacksAnswer = ({ key, required }: Question) => required && (merged.get(key) ?? null) === null;
    if (!isPartial && [...given].some(([key, value]) => value !== null && !shownKeys.has(key)))
      return "invalid_request";
    if (questions.some((question) => given.has(question.key) && lacksAnswer(question))) return "invalid_request";
    const ended = isPartial ? [] : endedOf(shown, complete ? merged : given, merged, complete);
    const seen = seenOf(version.pages, merged, attributes, true);
    const screensOut = ({ disqualifyWhen }: Page) =>
      disqualifyWhen !== null && truthOf(disqualifyWhen, seen, attributes) === true;
    const isScreenedOut = ended.some(screensOut);
    if (complete && !isScreenedOut && questions.some(lacksAnswer)) return "invalid_request";

    session.answers = new Map([...merged].filter(([key]) => shownKeys.has(key)));
    if (complete && !isScreenedOut)
      for (const { key } of questions) if (!session.answers.has(key)) session.answers.set(key, null);
    session.state = "IN_PROGRESS";
    if (isPartial) return "ok";
    const isOver = complete || isScreenedOut;
    if (isOver) {
      const hasRules = version.qualifyWhen !== null || version.pages.some((page) => page.disqualifyWhen !== null);
      const fails = shown.some(screensOut) || truthOf(version.qualifyWhen, seen, attributes) === false;
      this.#end(session, !hasRules ? "UNKNOWN" : fails ? "DISQUALIFIED" : "QUALIFIED");
      if (session.outcome === "DISQUALIFIED") {
        session.outcomeReason = "SCREENED_OUT";
        this.#giveBackHeld(session, "SCREENED_OUT");
        return "ok";
      }
    }
    this.#claim(session, isOver);
    return "ok";
  }

  /** Whether a link that was not started says that the study is full. */
  isFullAtStart({ version, participant }: ModelSession): boolean {
    const attributes = this.#attributesOf(participant);
    return version.cells.some(
      (cell) =>
        !asksQuestions(cell.when) &&
        truthOf(cell.when, new Map(), attributes) &&
        this.#isWithoutRoom(cell, participant),
    );
  }

  /** What a person says of a session. @returns whether that is allowed */
  override(id: string, outcome: "QUALIFIED" | "DISQUALIFIED" | "BY_RULES"): boolean {
    const session = this.sessions.get(id)!;
    if (session.state !== "COMPLETED") return false;
    if (outcome === "BY_RULES") {
      if (!session.judged) return true;
      Object.assign(session, session.judged, { judged: null });
    } else {
      session.judged ??= { outcome: session.outcome, outcomeReason: session.outcomeReason };
      Object.assign(session, { outcome, outcomeReason: null });
    }
    if (session.outcome === "DISQUALIFIED") this.#giveBackAll(session, "OVERRIDDEN");
    else this.#take(session);
    return true;
  }

  remove(id: string): void {
    const session = this.sessions.get(id)!;
    if (session.status === "REMOVED") return;
    const cleared = { outcome: null, outcomeReason: null, full: [], judged: null };
    Object.assign(session, { status: "REMOVED", state: "NOT_STARTED" }, cleared);
    this.#giveBackAll(session, "SESSION_REMOVED");
  }

  /** The session's status is another now, because its assignment was removed, or is there again. */
  setStatus(id: string, status: string): void {
    const session = this.sessions.get(id)!;
    if (session.status === "ACTIVE" && status === "ARCHIVED") this.#giveBackHeld(session, "UNASSIGNED");
    session.status = status;
  }

  erase(participant: string): void {
    for (const quota of this.quotas.values()) {
      for (const { state, isOverLimit } of quota.places.filter((place) => place.participant === participant)) {
        if (state === "TAKEN") quota.erased++;
        if (state === "TAKEN" && isOverLimit) quota.erasedOver++;
      }
      quota.places = quota.places.filter((place) => place.participant !== participant);
    }
    for (const { id, participant: of } of this.sessions.values()) if (of === participant) this.sessions.delete(id);
    this.attributes.delete(participant);
  }

  /** The time of what this session holds is over. */
  lapse(id: string): void {
    this.#giveBackHeld({ id }, "LAPSED");
  }

  #attributesOf(participant: string): Attributes {
    return this.attributes.get(participant) ?? {};
  }

  #end(session: ModelSession, outcome: ModelSession["outcome"]): void {
    const attributes = this.#attributesOf(session.participant);
    const cells = cellsOf(session.version, session.answers, attributes, true);
    Object.assign(session, { state: "COMPLETED", outcome, outcomeReason: null, cells });
  }

  #claim(session: ModelSession, isOver: boolean): void {
    const { participant, version, answers } = session;
    const attributes = this.#attributesOf(participant);
    const cells = cellsOf(version, answers, attributes, isOver);
    const names = new Set(cells.map(({ name }) => name));
    for (const [name, { places }] of this.quotas)
      for (const place of places)
        if (place.state === "HELD" && place.session === session.id && !names.has(name)) free(place, "ANSWERS_CHANGED");
    const full = cells.filter((cell) => cell.mode === "LIMIT" && this.#isWithoutRoom(cell, participant));
    // What the participant has already stays, and is this session's as long as it is only held.
    for (const { name } of cells) {
      const place = this.#placeOf(name, participant);
      if (place?.state === "HELD") place.session = session.id;
      if (place?.state === "HELD" && isOver && !full.length) place.state = "TAKEN";
    }
    if (!full.length) for (const { name } of cells) this.#give(name, session, isOver ? "TAKEN" : "HELD");
    else if (isOver || full.some(({ at }) => at === "NOW")) {
      this.#end(session, "DISQUALIFIED");
      session.outcomeReason = "OVER_QUOTA";
      session.full = full.map(({ name }) => name);
      this.#giveBackHeld(session, "OVER_QUOTA");
    }
  }

  /** A session that has ended counts from now on, also where there is no room. */
  #take(session: ModelSession): void {
    for (const { name } of session.cells) {
      const place = this.#placeOf(name, session.participant);
      if (place?.state === "HELD") Object.assign(place, { state: "TAKEN", session: session.id });
      this.#give(name, session, "TAKEN");
    }
  }

  #give(name: string, { id, participant }: ModelSession, state: "HELD" | "TAKEN"): void {
    if (this.#placeOf(name, participant)) return;
    const quota = this.quotas.get(name)!;
    const isOverLimit = quota.mode === "LIMIT" && quota.limit !== null && usedOf(quota) >= quota.limit;
    // Of what the session had given back, the last one stays listed.
    const isFormer = (place: ModelPlace) => place.session === id && place.state === "RELEASED";
    const last = quota.places.findLast(isFormer);
    quota.places = quota.places.filter((place) => place === last || !isFormer(place));
    quota.places.push({ participant, session: id, state, reason: null, isOverLimit });
  }

  #giveBackHeld({ id }: Pick<ModelSession, "id">, reason: string): void {
    for (const place of this.#all()) if (place.session === id && place.state === "HELD") free(place, reason);
  }

  /** Another session of the participant, the latest one, that counts in the cell too gets what was taken. */
  #giveBackAll(session: ModelSession, reason: string): void {
    this.#giveBackHeld(session, reason);
    for (const [name, { places }] of this.quotas) {
      const place = places.find((one) => one.session === session.id && one.state === "TAKEN");
      if (!place) continue;
      const heir = [...this.sessions.values()].findLast(
        ({ id, participant, status, outcome, cells }) =>
          id !== session.id &&
          participant === session.participant &&
          status !== "REMOVED" &&
          (outcome === "QUALIFIED" || outcome === "UNKNOWN") &&
          cells.some((cell) => cell.name === name),
      );
      if (heir) place.session = heir.id;
      else free(place, reason);
    }
  }

  #isWithoutRoom({ name, mode }: Cell, participant: string): boolean {
    const quota = this.quotas.get(name)!;
    if (mode === "COUNT" || this.#placeOf(name, participant)) return false;
    return quota.isPaused || (quota.limit !== null && usedOf(quota) >= quota.limit);
  }

  #placeOf(name: string, participant: string): ModelPlace | undefined {
    return this.quotas
      .get(name)!
      .places.find((place) => place.participant === participant && place.state !== "RELEASED");
  }

  #all(): ModelPlace[] {
    return [...this.quotas.values()].flatMap(({ places }) => places);
  }
}

function free(place: ModelPlace, reason: string): void {
  Object.assign(place, { state: "RELEASED", reason });
}

const countOf = ({ places }: ModelQuota, state: string) => places.filter((place) => place.state === state).length;
const usedOf = (quota: ModelQuota) => countOf(quota, "TAKEN") + countOf(quota, "HELD") + quota.erased;

/** Pages up to the last one with an answer are over, if nothing is missing there; the last one only if all was answered or skipped. */
function endedOf(shown: Page[], submitted: Values, merged: Values, complete: boolean): Page[] {
  const last = shown.findLastIndex(({ questions }) => questions.some(({ key }) => submitted.has(key)));
  return shown
    .slice(0, last + 1)
    .filter(({ questions }, index) =>
      questions.every(({ key, required }) =>
        required ? (merged.get(key) ?? null) !== null : merged.has(key) || index < last || complete,
      ),
    );
}

/** A cell, as lists show it. */
export function shownQuota(quota: ModelQuota): object {
  const { mode, limit, isPaused: paused, isRetired } = quota;
  const taken = countOf(quota, "TAKEN") + quota.erased;
  const held = countOf(quota, "HELD");
  const status = () => {
    if (isRetired) return "RETIRED";
    if (paused) return "PAUSED";
    if (mode === "COUNT" || limit === null || taken + held < limit) return "OPEN";
    return taken >= limit ? "FULL" : "HELD_FULL";
  };
  const remaining = limit === null ? null : Math.max(limit - taken - held, 0);
  return { mode, limit, paused, taken, held, remaining, status: status() };
}

/** What lists say, for a recount. */
export interface Lists {
  /** What was published, by the id of the publication. */
  versions: ReadonlyMap<string, Version>;
  sessions: {
    id: string;
    participant: string;
    publication: string;
    status: string;
    state: string;
    attributes: Attributes;
  }[];
  /** By the session's id. */
  answers: ReadonlyMap<string, Values>;
  /** In their order. */
  events: { resource: { id: string }; changes: { field: string; to: unknown }[] }[];
}

/** Who must have what, by the name of the cell. */
export interface Recount {
  /** Participants who have completed a session that counts, and is in the cell. */
  taken: Map<string, Set<string>>;
  /** Participants with a session under way that is known to be in the cell, whether or not there is room. */
  wanted: Map<string, Set<string>>;
}

/** Works out from answers and outcomes who is in which cell. No count and no place is looked at. */
export function recount({ versions, sessions, answers, events }: Lists): Recount {
  const outcomes = new Map<string, unknown>();
  for (const { resource, changes } of events)
    for (const { field, to } of changes) if (field === "outcome") outcomes.set(resource.id, to);
  const result: Recount = { taken: new Map(), wanted: new Map() };
  const note = (to: Map<string, Set<string>>, name: string, participant: string) =>
    to.set(name, (to.get(name) ?? new Set()).add(participant));
  for (const { id, participant, publication, status, state, attributes } of sessions) {
    const isOver = state === "COMPLETED";
    const counts = status !== "REMOVED" && isOver && outcomes.get(id) !== "DISQUALIFIED";
    const isUnderWay = status === "ACTIVE" && state === "IN_PROGRESS";
    if (!counts && !isUnderWay) continue;
    const cells = cellsOf(versions.get(publication)!, answers.get(id) ?? new Map(), attributes, isOver);
    for (const { name } of cells) note(counts ? result.taken : result.wanted, name, participant);
  }
  return result;
}
