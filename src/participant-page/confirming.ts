// Somebody who has sent the first page of an open link confirms an email first: what was sent waits, a link is mailed, and its button confirms.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newUnguessableId } from "../base/ids.ts";
import type { Parsed } from "../base/parsed.ts";
import type { RecordEvent } from "../events/record.ts";
import { queueMessage } from "../mail/outbox.ts";
import { insertUnconfirmed, settleUnconfirmed, type UnconfirmedRow } from "../mail/unconfirmed.ts";
import { isQuestion } from "../nouns/content/content.ts";
import { askedBy } from "../nouns/links/queries.ts";
import type { Asked } from "../nouns/links/resource.ts";
import { findParticipantBy } from "../nouns/participants/queries.ts";
import { answerField, partField } from "../nouns/question-types/form.ts";
import type { Answer, Question } from "../nouns/question-types/registry.ts";
import { normalized } from "../nouns/question-types/values/text-formats.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import { joinAs, joinUnbegun } from "../screening/join.ts";
import type { Speech } from "../words/speech.ts";
import { type Arrival, admit, studyOf } from "./admission.ts";
import { NOTHING_ASKED, speechAsked } from "./asked.ts";
import { type Field, Form, QUESTION_FIELD, typedFrom } from "./input.ts";
import { ASKED_IDS, type Joinable, type Joined } from "./joining.ts";
import { findLinkedSession, findOwnSession, getGoingOn } from "./queries.ts";
import { takeForm, type Visit } from "./visit.ts";

/** Inside a transaction: keeps the form of somebody whose email is to be confirmed, and has the link mailed there. It was not refused. */
export function keepUntilConfirmed(
  db: Writer,
  { link, attributes, asked }: Arrival,
  form: Form,
  { answering, given, typedIn }: Joinable,
): void {
  const typed = (one: Asked) => form.typed(ASKED_IDS[one]).text.trim() || null;
  const email = normalized("EMAIL", typed("EMAIL") ?? "")!;
  const language = typedIn.language ?? speechAsked(asked).language;
  const page = answering.content.pages.find(({ id }) => id === form.pageId);
  const sent = (page?.questions ?? []).filter(isQuestion).filter(({ id }) => form.has(id));
  // What else a form may have is nobody's, and could be a megabyte.
  const fields = sent.flatMap((question) => fieldsWith(question, typedIn.speech, given.get(question.id)));
  const name = askedBy(link).includes("NAME") ? typed("NAME") : null;
  const own = {
    linkId: link.id,
    token: newUnguessableId(),
    seed: form.seed,
    attributes,
    language,
  };
  const joinId = insertUnconfirmed(db, { ...own, email, name, form: form.keptWith(fields) });
  queueMessage(db, { kind: "CONFIRM_EMAIL", address: email, language, joinId });
}

/** Inside a transaction: an email is confirmed. Somebody who is known by it goes on as that person; somebody who is not joins. */
export function takeConfirmed(
  db: Writer,
  published: Parsed,
  arrival: Arrival,
  row: UnconfirmedRow,
  mark: string,
  record: RecordEvent,
): Joined | Visit {
  const { link } = arrival;
  const screener = getScreenerUid(db, link.screener_id);
  const inSession = (session: string, visit: Visit | null = null) => ({ screener, session, visit });
  if (row.screener_session_id !== null) return { ...getGoingOn(db, row.screener_session_id), visit: null };
  const asked = { ...NOTHING_ASKED, lang: row.language };
  const known = findParticipantBy(db, "email", row.email!);
  // Somebody who is in it already goes on, also where nobody joins any more. Its address was signed when the first page was sent.
  const goesOn = known && findOwnSession(db, link.screener_id, known.id) !== undefined;
  const admitted = goesOn ? undefined : admit(db, published, { ...arrival, asked, isForged: false }, row.seed);
  if (admitted && "kind" in admitted) return admitted;
  const who = { name: row.name, email: row.email, isConfirmed: true, attributes: row.attributes!, seed: row.seed };
  const { uid, isNew } = known
    ? joinAs(db, link, { ...known, seed: row.seed }, mark, record)
    : { uid: joinUnbegun(db, link, studyOf(admitted!), who, mark, record), isNew: true };
  settleUnconfirmed(db, row.id, uid);
  if (!isNew) return inSession(uid);
  const form = Form.kept(row.form!);
  return inSession(uid, takeForm(db, published, findLinkedSession(db, screener, uid)!, { form, asked }, record));
}

/** The fields of a question as its page sends them with this answer. */
function fieldsWith(question: Question, speech: Speech, answer: Answer = null): Field[] {
  const { id } = question;
  const { text, chosen, parts } = typedFrom(question, speech, answer);
  const answers = chosen.size ? [...chosen] : [text].filter((one) => one !== "");
  return [
    [QUESTION_FIELD, id],
    ...answers.map((value): Field => [answerField(id), value]),
    ...Object.entries(parts).map(([part, value]): Field => [partField(part, id), value]),
  ];
}
