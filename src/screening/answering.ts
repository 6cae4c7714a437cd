// What the participant of a session answers.

import type { Reader } from "../../db/sqlite/connection.ts";
import { armsFrom } from "../arms/queries.ts";
import type { Parsed } from "../base/parsed.ts";
import { askedIn, type Content, type PersonalContent } from "../nouns/content/content.ts";
import { knownAttributes } from "../nouns/content/holds.ts";
import { inShownOrder } from "../nouns/content/order.ts";
import { publishedQuestionIds, readPublished } from "../nouns/content/queries.ts";
import { findPublicationById, type PublicationRow } from "../nouns/publications/queries.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import { timeZoneOfScreener } from "../nouns/screeners/queries.ts";
import { todayOf } from "../nouns/screeners/time-zones.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";

export interface Answering {
  /** When this was read. A submission is of this moment, so that a day has the same date for all that it comes to. */
  at: Date;
  publication: PublicationRow;
  /** Its pages and questions are in the order in which the session is shown them. */
  content: PersonalContent;
  /** The same in the content's order. */
  inContentOrder: Content;
  /** Of all pages, in the content's order. */
  questions: readonly Question[];
  /** Their rowids. */
  questionIds(): readonly number[];
}

export function answeringOf(db: Reader, published: Parsed, session: SessionRow): Answering {
  const stored = "SELECT attributes FROM participant WHERE id = ?";
  return answering(db, published, findPublicationById(db, session.screener_publication_id)!, {
    attributes: () => db.value<string>(stored, session.participant_id)!,
    startedAt: session.started_at,
    arms: session.arms,
    seed: session.order_of ?? session.uid,
  });
}

/**
 * What somebody will answer who has not joined yet. @param attributes the text of src/base/attributes.ts
 * @param seed of the order, which the session will have
 */
export function answeringAtFirst(
  db: Reader,
  published: Parsed,
  publication: PublicationRow,
  attributes: string,
  seed: string,
): Answering {
  return answering(db, published, publication, { attributes: () => attributes, startedAt: null, arms: null, seed });
}

const QUARTER_HOUR_MS = 15 * 60_000;

/** Within a quarter of an hour no day begins, whatever the time zone is: rules may compare a date with today. */
const quarterOf = (at: Date) => Math.floor(at.getTime() / QUARTER_HOUR_MS);

/**
 * The same now, without working it out again. What is read only when it is asked for is read from `db`: that from which the rest was read may
 * be closed by now. Undefined: another publication is active by now, or a day may have begun.
 */
export function stillAnswering(
  db: Reader,
  published: Parsed,
  publication: PublicationRow,
  before: Answering,
): Answering | undefined {
  const at = new Date();
  if (publication.id !== before.publication.id || quarterOf(at) !== quarterOf(before.at)) return undefined;
  return {
    ...before,
    at,
    publication,
    content: { ...before.content, today: todayIn(db, publication, at.toISOString()) },
    questionIds: () => publishedQuestionIds(db, published, publication),
  };
}

const todayIn = (db: Reader, { screener_id }: PublicationRow, at: string) =>
  todayOf(() => timeZoneOfScreener(db, screener_id), at);

interface Known {
  attributes(): string;
  startedAt: string | null;
  arms: string | null;
  /** Of the order by chance. */
  seed: string;
}

function answering(db: Reader, published: Parsed, publication: PublicationRow, known: Known): Answering {
  const attributes = knownAttributes(known.attributes);
  const at = new Date();
  const today = todayIn(db, publication, known.startedAt ?? at.toISOString());
  const inContentOrder = readPublished(db, published, publication);
  const order = { seed: known.seed, version: publication.shuffle_version };
  const content = inShownOrder({ ...inContentOrder, attributes, today, arms: armsFrom(known.arms), order });
  return {
    at,
    publication,
    content,
    inContentOrder,
    questions: inContentOrder.pages.flatMap(askedIn),
    questionIds: () => publishedQuestionIds(db, published, publication),
  };
}
