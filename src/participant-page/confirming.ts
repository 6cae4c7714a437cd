// Somebody who has sent the first page of an open link confirms an email first: what was sent waits, a link is mailed, and its button confirms.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newUnguessableId } from "../base/ids.ts";
import type { Parsed } from "../base/parsed.ts";
import type { RecordEvent } from "../events/record.ts";
import { queueMessage } from "../mail/outbox.ts";
import { insertUnconfirmed, settleUnconfirmed, type UnconfirmedRow } from "../mail/unconfirmed.ts";
import { askedBy } from "../nouns/links/queries.ts";
import type { Asked } from "../nouns/links/resource.ts";
import { findParticipantBy } from "../nouns/participants/queries.ts";
import { normalized } from "../nouns/question-types/values/text-formats.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import { joinAs, joinUnbegun } from "../screening/join.ts";
import { type Arrival, admit, studyOf } from "./admission.ts";
import { NOTHING_ASKED, speechAsked } from "./asked.ts";
import { Form } from "./input.ts";
import { ASKED_IDS, type Joined } from "./joining.ts";
import { findLinkedSession, findOwnSession, getGoingOn } from "./queries.ts";
import { takeForm, type Visit } from "./visit.ts";

/** Inside a transaction: keeps the form of somebody whose email is to be confirmed, and has the link mailed there. It was not refused. */
export function keepUntilConfirmed(db: Writer, { link, attributes, asked }: Arrival, form: Form): void {
  const typed = (one: Asked) => form.typed(ASKED_IDS[one]).text.trim() || null;
  const email = normalized("EMAIL", typed("EMAIL") ?? "")!;
  const language = form.shownIn ?? speechAsked(asked).language;
  const name = askedBy(link).includes("NAME") ? typed("NAME") : null;
  const own = {
    linkId: link.id,
    token: newUnguessableId(),
    seed: form.seed,
    attributes,
    language,
  };
  const joinId = insertUnconfirmed(db, { ...own, email, name, form: form.keptWithout(Object.values(ASKED_IDS)) });
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
