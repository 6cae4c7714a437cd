// "Email me my link": somebody who answers has their own link mailed, to go on later. The address is used for that alone.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { normalized } from "../../nouns/question-types/values/text-formats.ts";
import { countOfSession, queueMessage } from "../outbox.ts";

/** What the page shows of it. */
export interface Later {
  /** Undefined: nobody has asked yet. OFTEN: several times within an hour. WRONG: that is no address. */
  state?: "SENT" | "OFTEN" | "WRONG";
  /** The address as it was typed. */
  typed: string;
}

/** So often within an hour. */
const MAX_OF_SESSION = 3;

/**
 * Inside a transaction: has the link of a session mailed to the address that was typed. Whether somebody is known by it is not looked at.
 * @param language of the page
 */
export function mailMyLink(
  db: Writer,
  session: { id: number; participant_id: number },
  typed: string,
  language: string,
): Later {
  const address = normalized("EMAIL", typed);
  if (address === undefined) return { state: "WRONG", typed };
  if (countOfSession(db, session.id, "MY_LINK") >= MAX_OF_SESSION) return { state: "OFTEN", typed };
  const of = { sessionId: session.id, participantId: session.participant_id };
  queueMessage(db, { kind: "MY_LINK", address, language, ...of });
  return { state: "SENT", typed: address };
}
