// The language in which a session is answered, as the person has chosen it.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { RecordEvent } from "../events/record.ts";
import { setLanguage } from "../nouns/sessions/progress.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";
import { sessionEvent } from "./lifecycle.ts";

/** Inside a transaction. Writes an event, unless it is that language already. */
export function chooseLanguage(db: Writer, session: SessionRow, language: string, record: RecordEvent): void {
  if (session.language === language) return;
  setLanguage(db, session.id, language);
  const changes = [{ field: "language", from: session.language, to: language }];
  record({ ...sessionEvent("language-chosen", session), changes, at: new Date() });
}
