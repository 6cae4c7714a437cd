// The answers that a message inserts: those of the person's own session of the study, read when the message is written out and kept nowhere.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import { type AnswerTo, answersIn } from "../insertions/fill.ts";
import { wordingOf } from "../nouns/publications/wording.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { timeZoneOfScreener } from "../nouns/screeners/queries.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";
import { answeringOf } from "../screening/answering.ts";
import type { Speech } from "../words/speech.ts";

/** A question that messages may refer to. */
export interface KeyedQuestion {
  key: string;
  type: string;
  /** Of the newest version that has it. */
  prompt: string;
}

/** What messages of a study may refer to, which is looked up once. @param screenerUid undefined: it is not known */
export function questionsOf(db: Reader, screenerUid: string | undefined): () => KeyedQuestion[] | undefined {
  let listed: KeyedQuestion[] | undefined;
  return () => {
    if (screenerUid !== undefined) listed ??= listKeyed(db, screenerUid);
    return listed;
  };
}

/** The questions with a key of all versions of a study: people have answered in any of them. Undefined: there is no such study. */
function listKeyed(db: Reader, screenerUid: string): KeyedQuestion[] | undefined {
  const screenerId = db.value<number>("SELECT id FROM screener WHERE uid = ?", screenerUid);
  if (screenerId === undefined) return undefined;
  return db.all(
    // With max() the others come from the row that has it.
    `SELECT q.key, q.type, q.prompt, max(p.version) AS version FROM screener_publication AS p
       JOIN publication_question AS q ON q.screener_publication_id = p.id
     WHERE p.screener_id = ? AND q.key IS NOT NULL GROUP BY q.key ORDER BY min(q.id)`,
    screenerId,
  );
}

/** The session whose answers messages insert: the current one of an assignment. None of a test, and none whose consent was withdrawn. */
function findAnswered(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    `SELECT t.* FROM screener_participant AS a JOIN screener_session AS t ON t.id = a.current_session_id
     WHERE a.uid = ? AND t.is_test = 0 AND t.withdrawn_at IS NULL`,
    assignmentUid,
  );
}

/** An assignment with answers of which a message may tell. */
interface Answered {
  assignment: string;
  session: string;
}

/** Of somebody who is in a study. */
export function findAnsweredBy(db: Reader, screenerId: number, participantUid: string): Answered | undefined {
  const assignment = db.value<string>(
    `SELECT a.uid FROM participant AS p JOIN screener_participant AS a ON a.participant_id = p.id
     WHERE p.uid = ? AND a.screener_id = ?`,
    participantUid,
    screenerId,
  );
  const session = assignment === undefined ? undefined : findAnswered(db, assignment);
  return session && { assignment: assignment!, session: session.uid };
}

const NO_ANSWERS: AnswerTo = () => undefined;

/** The answers of a person. They are read when a text first asks for one. @param assignment undefined: no text does */
export function answersOf(db: Reader, published: Parsed, assignment: string | undefined, speech: Speech): AnswerTo {
  if (assignment === undefined) return NO_ANSWERS;
  let found: AnswerTo | undefined;
  return (key) => {
    found ??= readAnswers(db, published, assignment, speech);
    return found(key);
  };
}

function readAnswers(db: Reader, published: Parsed, assignment: string, speech: Speech): AnswerTo {
  const session = findAnswered(db, assignment);
  if (!session) return NO_ANSWERS;
  const { content, publication, questions } = answeringOf(db, published, session);
  const wording = wordingOf(db, published, publication, content, speech.language);
  const timeZone = () => timeZoneOfScreener(db, session.screener_id);
  return answersIn({ ...content, speech, wording, timeZone }, () => findAnswers(db, session.id, questions));
}
