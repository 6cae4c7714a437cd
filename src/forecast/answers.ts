// Reads what was answered in sessions of all publications, as answers to the questions of a draft.

import type { Reader } from "../../db/sqlite/connection.ts";
import { armsFrom } from "../arms/queries.ts";
import { Parsed } from "../base/parsed.ts";
import { SHUFFLE_VERSION } from "../chance/shuffle.ts";
import { attributesUsed } from "../nouns/content/advice/warnings.ts";
import { endsWithout } from "../nouns/content/answers.ts";
import { askedIn, type Content, conditionsOf } from "../nouns/content/content.ts";
import { knownAttributes, questionsIn } from "../nouns/content/holds.ts";
import { readPublished } from "../nouns/content/queries.ts";
import { type Answer, typeOf } from "../nouns/question-types/registry.ts";
import { listAnswers } from "../nouns/responses/queries.ts";
import { todayOf } from "../nouns/screeners/time-zones.ts";
import { type AnsweredSession, readSessions } from "./queries.ts";
import type { Person } from "./replay.ts";

/** A question of a publication that is in the draft, too. */
interface SharedQuestion {
  id: string;
  /** Reads an answer. Undefined: no condition asks for it, so that it is enough to know that there is one. */
  read: ((json: string) => Answer) | undefined;
}

interface PublishedQuestions {
  /** By position. Undefined: it is not in the draft. */
  shared: (SharedQuestion | undefined)[];
  ids: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

function setOutcomeOf({ isRejected, isOverridden, outcome }: AnsweredSession): Person["setOutcome"] {
  if (isRejected) return "DISQUALIFIED";
  return isOverridden ? (outcome as Person["setOutcome"]) : null;
}

export class DraftAnswers {
  readonly #db: Reader;
  readonly #types: ReadonlyMap<string, string>;
  readonly #asked: ReadonlySet<string>;
  readonly #consents: ReadonlySet<string>;
  readonly #asksAttributes: boolean;
  readonly #published = new Parsed();
  readonly #byPublication = new Map<number, PublishedQuestions>();

  constructor(db: Reader, draft: Content) {
    this.#db = db;
    this.#types = new Map(draft.pages.flatMap((page) => askedIn(page).map(({ id, _type }) => [id, _type])));
    const consents = draft.pages.flatMap((page) =>
      askedIn(page)
        .filter(endsWithout)
        .map(({ id }) => id),
    );
    this.#consents = new Set(consents);
    this.#asked = new Set([...conditionsOf(draft).flatMap(questionsIn), ...consents]);
    this.#asksAttributes = attributesUsed(draft).length > 0;
  }

  /** The people of these sessions, in their order. */
  read(ids: readonly number[]): Person[] {
    const sessions = readSessions(this.#db, ids, this.#asksAttributes);
    const answers = new Map(sessions.map(({ id }) => [id, new Map<string, Answer>()]));
    const questions = new Map(sessions.map((session) => [session.id, this.#questionsOf(session)]));
    for (const { session, position, answer } of listAnswers(this.#db, ids)) {
      const question = questions.get(session)?.shared[position];
      if (question) answers.get(session)!.set(question.id, question.read ? question.read(answer) : null);
    }
    return sessions.map((session) => ({
      participant: session.participant,
      attributes: knownAttributes(() => session.attributes),
      today: todayOf(() => session.timeZone, session.startedAt),
      arms: armsFrom(session.arms),
      order: { seed: session.seed, version: SHUFFLE_VERSION },
      answers: answers.get(session.id)!,
      hasFinished: session.state === "COMPLETED",
      // Those who qualify have come to the end, whatever the draft asks besides.
      endQuestions: session.outcome === "DISQUALIFIED" ? questions.get(session.id)!.ids : NONE,
      asked: questions.get(session.id)!.ids,
      hasRefused: session.refused !== null && this.#consents.has(session.refused),
      setOutcome: setOutcomeOf(session),
    }));
  }

  #questionsOf({ publication: id, publicationUid: uid }: AnsweredSession): PublishedQuestions {
    const known = this.#byPublication.get(id);
    if (known) return known;
    const questions = readPublished(this.#db, this.#published, { id, uid }).pages.flatMap(askedIn);
    const shared = questions.map((question): SharedQuestion | undefined => {
      if (this.#types.get(question.id) !== question._type) return undefined;
      const read = (json: string) => {
        const shown = JSON.parse(json);
        return shown === null ? null : typeOf(question).fromShown(question, shown);
      };
      return { id: question.id, read: this.#asked.has(question.id) ? read : undefined };
    });
    const found = { shared, ids: new Set(questions.map((question) => question.id)) };
    this.#byPublication.set(id, found);
    return found;
  }
}
