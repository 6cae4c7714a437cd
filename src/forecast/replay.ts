// Replays people against the rules and quotas of a draft, one after the other. What a claim does in a store happens here with counts in
// memory: the same functions say which quotas somebody is in, which of them have room, and what that comes to.

import type { ArmIds } from "../arms/queries.ts";
import { type Answers, refusedIn, shown } from "../nouns/content/answers.ts";
import type { Content, PersonalContent, Quota } from "../nouns/content/content.ts";
import { type Circumstances, Facts } from "../nouns/content/holds.ts";
import { isScreenedOut, judge } from "../nouns/content/judge.ts";
import { openQuestions } from "../nouns/content/open.ts";
import { inShownOrder } from "../nouns/content/order.ts";
import { quotasBeforeAnswers, traceIn } from "../nouns/content/quotas.ts";
import { decide } from "../nouns/quotas/decide.ts";
import { type Places, settle } from "../screening/places.ts";
import { disqualifies } from "../screening/submit.ts";
import { ReplayedArms } from "./replayed-arms.ts";

/** Somebody who has answered, or may be asked. */
export interface Person extends Circumstances {
  participant: number;
  /** Those that were given. Others, also of a draft without them, are drawn. */
  arms: ArmIds;
  answers: Answers;
  /** The questions that their publication has. */
  asked: ReadonlySet<string>;
  /** Whether no answer is to come, by what is recorded. */
  hasFinished: boolean;
  /** The questions that a session which goes to its end answers. Where one of them is open, it has ended early. */
  endQuestions: ReadonlySet<string>;
  /** Whether they have refused a consent that the draft requires. Nothing else of theirs is kept, so it is not known again whether it is shown. */
  hasRefused: boolean;
  /** The outcome that a person has set. */
  setOutcome: "QUALIFIED" | "DISQUALIFIED" | null;
}

/** A quota, and what has come of it so far. */
export interface Cell {
  quota: Quota;
  mode: Quota["mode"];
  isPaused: boolean;
  limit: number | null;
  /** How many have taken a place. */
  given: number;
  /** Whether the one who is replayed has one. */
  hasPlace: boolean;
  turnedAway: number;
  /** How many of them by which quota first. */
  turnedAwayBy: Map<Cell, number>;
  unknown: number;
}

/** How it ends for somebody. A cell: that is the first one that turns them away. */
type End = "TAKEN" | "SCREENED_OUT" | "UNKNOWN" | Cell;

const NOBODY: ReadonlySet<number> = new Set();
const GOES_ON = { outcome: null, outcomeReason: null };

export class Replay {
  readonly cells: readonly Cell[];
  screenedOut = 0;
  replayed = 0;
  readonly #content: Content;
  readonly #quotas: readonly Quota[];
  readonly #byId: ReadonlyMap<string, Cell>;
  readonly #repeated: ReadonlySet<number>;
  /** The places of those who come several times: one in a cell. */
  readonly #taken = new Map<number, Set<Cell>>();
  readonly #assumesQualified: boolean;
  readonly #arms: ReplayedArms | undefined;

  /**
   * @param repeated the participants who come several times
   * @param assumesQualified whether people count as qualified where it is not known whether a rule screens them out
   * @param drawsArms whether people are given arms. Else it is not known which they have
   */
  constructor(content: Content, { repeated = NOBODY, assumesQualified = false, drawsArms = true } = {}) {
    this.#content = content;
    this.#quotas = content.quotas ?? [];
    this.cells = this.#quotas.map((quota) => ({
      ...{ quota, mode: quota.mode, isPaused: false, limit: quota.limit, given: 0, hasPlace: false },
      ...{ turnedAway: 0, turnedAwayBy: new Map(), unknown: 0 },
    }));
    this.#byId = new Map(this.cells.map((cell) => [cell.quota.id, cell]));
    this.#repeated = repeated;
    this.#assumesQualified = assumesQualified;
    this.#arms = drawsArms && content.assignments ? new ReplayedArms(content.assignments) : undefined;
  }

  replay(person: Person): void {
    const { answers, attributes, today, participant } = person;
    const { content, armless } = this.#armed({ ...this.#content, attributes, today }, person);
    const { counting } = shown(content, answers);
    const open = openQuestions(content, answers, counting, "NOT_GIVEN");
    const inside: Quota[] = [];
    const maybe: Quota[] = [];
    for (const { quota, isIn } of traceIn(this.#quotas, counting, open))
      if (isIn) inside.push(quota);
      else if (isIn === undefined) maybe.push(quota);
    const end = this.#endOf(person, { content, counting, open, inside, maybe, armless });
    this.replayed++;
    if (end === "SCREENED_OUT") {
      this.screenedOut++;
      return;
    }
    const { missing } = decide(this.#asked([...inside, ...armless], participant));
    if (end === "TAKEN") this.#take(missing, participant, content.arms);
    else if (end === "UNKNOWN") for (const cell of missing) cell.unknown++;
    else
      for (const cell of missing) {
        cell.turnedAway++;
        cell.turnedAwayBy.set(end, (cell.turnedAwayBy.get(end) ?? 0) + 1);
      }
    for (const cell of this.#asked(maybe, participant)) if (!cell.hasPlace) cell.unknown++;
  }

  #endOf(
    person: Person,
    known: {
      content: PersonalContent;
      counting: Facts;
      open: ReadonlySet<string>;
      inside: Quota[];
      maybe: Quota[];
      /** Because of which there is no arm. */
      armless: Quota[];
    },
  ): End {
    const { participant, setOutcome } = person;
    const { content, counting, open, inside, maybe, armless } = known;
    if (setOutcome) return setOutcome === "QUALIFIED" ? "TAKEN" : "SCREENED_OUT";
    const hasFinished = person.hasFinished && person.endQuestions.isDisjointFrom(open);
    const full = [...decide(this.#asked(inside, participant)).full, ...armless.map(({ id }) => this.#byId.get(id)!)];
    const some = { ...content, quotas: this.#quotas.filter((one) => inside.includes(one) || armless.includes(one)) };
    const end = full.length ? this.#endOnTheWay(person, some, hasFinished) : undefined;
    if (end) return end;
    const isOut = person.hasRefused || isScreenedOut(content, counting, open);
    if (isOut) return "SCREENED_OUT";
    if (!hasFinished || (isOut === undefined && !this.#assumesQualified)) return "UNKNOWN";
    if (full[0]) return full[0];
    // Where one of those without room is theirs, they are turned away.
    return decide(this.#asked(maybe, participant)).full.length ? "UNKNOWN" : "TAKEN";
  }

  /** Goes from page to page, as they have: in the order in which the draft shows them to this session. Undefined: nothing has ended it as far as answers are known. @param some with the quotas that they are in */
  #endOnTheWay(person: Person, some: PersonalContent, hasFinished: boolean): End | undefined {
    const { answers, participant, order } = person;
    const content = inShownOrder({ ...some, ...(order && { order }) });
    const fullOf = (quotas: readonly Quota[]) => decide(this.#asked(quotas, participant)).full;
    const [first] = fullOf(quotasBeforeAnswers(content, new Facts(content)));
    if (first) return first;
    const claim = (quotas: readonly Quota[]) => fullOf(quotas).map(({ quota }) => quota.id);
    // That no arm is open shows as soon as what the arms ask about is answered.
    const armlessOf = (sofar: Answers) =>
      this.#arms?.draw(content, sofar, participant, (quotas) => claim(quotas)).full ?? [];
    const given = new Map();
    const { pages } = shown(content, answers);
    for (const { page, questions } of pages) {
      // Of a page on which somebody refuses, nothing else is kept, and no place is claimed with it.
      if (refusedIn([{ questions }], answers)) return "SCREENED_OUT";
      const known = questions.filter(({ id }) => answers.has(id));
      const isOver = known.length === questions.length;
      // Places are claimed as soon as what a quota asks about is answered, also before the page is over.
      if (!isOver && !person.hasFinished) return undefined;
      for (const { id } of known) given.set(id, answers.get(id));
      const sofar = shown(content, given);
      if (isOver && disqualifies(page, sofar.counting)) return "SCREENED_OUT";
      const isEnd = isOver && hasFinished && page === pages.at(-1)?.page;
      const judgement = isEnd ? judge(content, sofar.pages, sofar.counting, () => false) : GOES_ON;
      const places: Places = { claim, release: () => {}, armless: armlessOf(given) };
      const settled = settle({ content, answers: given, counting: sofar.counting }, judgement, places);
      const [full] = settled.outcomeQuotaIds;
      if (full !== undefined) return this.#byId.get(full)!;
      if (settled.outcome === "DISQUALIFIED") return "SCREENED_OUT";
      if (!isOver) return undefined;
    }
    return undefined;
  }

  /** The cells of quotas, as `decide` takes them for a participant. */
  #asked(quotas: readonly Quota[], participant: number): Cell[] {
    const taken = this.#taken.get(participant);
    return quotas.map(({ id }) => {
      const cell = this.#byId.get(id)!;
      cell.hasPlace = taken?.has(cell) ?? false;
      return cell;
    });
  }

  /** The content with the arms of somebody, and the quotas because of which there is none. */
  #armed(content: PersonalContent, { answers, arms, participant }: Person) {
    if (!this.#arms) return { content, armless: [] };
    const drawn = this.#arms.draw({ ...content, arms: this.#arms.known(arms) }, answers, participant, (quotas) =>
      decide(this.#asked(quotas, participant)).full.map(({ quota }) => quota.id),
    );
    return {
      content: { ...content, arms: drawn.arms },
      armless: this.#quotas.filter(({ id }) => drawn.full.includes(id)),
    };
  }

  #take(cells: readonly Cell[], participant: number, arms: ArmIds | undefined): void {
    if (arms) this.#arms?.count(arms);
    for (const cell of cells) cell.given++;
    if (!this.#repeated.has(participant)) return;
    this.#taken.set(participant, (this.#taken.get(participant) ?? new Set()).union(new Set(cells)));
  }
}
