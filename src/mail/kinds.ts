// What messages say, by their kind. Each is made at the moment when it is sent, of what the store has then; or it is not sent any more.

import type { Control } from "../../db/control.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import type { Log } from "../base/log.ts";
import { findSuppressed } from "../contacts/no-contact.ts";
import { isNotice, type NoticeKind } from "../events/notices.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { speechFor } from "../page-words/queries.ts";
import type { Speech } from "../words/speech.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import type { Prepared } from "./claims.ts";
import { prepareNotice } from "./notices.ts";
import { type MessageKind, type MessageRow, markSending, NOT_WRITTEN, recordSent } from "./outbox.ts";
import { CONFIRMED_FOR_DAYS, findConfirmation } from "./unconfirmed.ts";

/** Call it in the transaction that marks it as SENDING. @returns why it is not sent any more, as a word */
type Prepare = (
  db: Reader,
  workspaceUid: string,
  row: MessageRow & { kind: MessageKind },
) => Prepared | { dropped: string };

/** What a message of a kind says. */
interface Said {
  screenerId: number;
  title: string;
  /** Below the address of the workspace's pages. */
  path: string;
  words(speech: Speech): { subject: string; body: string };
}

/** Why no message of a sandbox is sent, whatever else there is to say. */
export const OF_SANDBOX = "SANDBOX";

const STUDY = "{{study}}";
const LINK = "{{link}}";

const paragraphs = (...texts: string[]) => texts.join("\n\n");

const KINDS: Record<Exclude<MessageKind, NoticeKind>, (db: Reader, row: MessageRow) => Said | { dropped: string }> = {
  MY_LINK(db, { screener_session_id: id }) {
    const session = db.get<{ screener_id: number; title: string | null; screener: string; uid: string }>(
      `SELECT t.screener_id, p.title, s.uid AS screener, t.uid FROM screener_session AS t JOIN screener AS s ON s.id = t.screener_id
       JOIN screener_publication AS p ON p.id = t.screener_publication_id WHERE t.id = ? AND t.status = 'ACTIVE'`,
      id,
    );
    if (!session) return { dropped: "LINK_EXPIRED" };
    return {
      screenerId: session.screener_id,
      title: session.title ?? "",
      path: `/screeners/${session.screener}/${session.uid}`,
      words: (speech) => ({
        subject: speech.say("linkMailSubject"),
        body: paragraphs(
          speech.say("linkMailText", { study: STUDY }),
          LINK,
          speech.say("linkMailPrivate"),
          speech.say("mailByMistake"),
        ),
      }),
    };
  },
  CONFIRM_EMAIL(db, { unconfirmed_join_id: id }) {
    const found = findConfirmation(db, id!);
    if (!found) return { dropped: "LINK_EXPIRED" };
    return {
      screenerId: found.screener_id,
      title: found.title ?? "",
      path: `/o/${found.link}?confirm=${found.token}`,
      words: (speech) => ({
        subject: speech.say("confirmHeading"),
        body: paragraphs(
          speech.say("confirmMailText", { study: STUDY }),
          LINK,
          speech.count("confirmMailDays", CONFIRMED_FOR_DAYS),
          speech.say("mailByMistake"),
        ),
      }),
    };
  },
};

export function preparing({
  control,
  publicUrl,
  cell,
}: {
  control: Control;
  publicUrl: string;
  cell: string | null;
}): Prepare {
  return (db, workspaceUid, row) => {
    const { name: sender, is_sandbox: isSandbox } = findWorkspace(control.reader, workspaceUid)!;
    if (isSandbox) return { dropped: OF_SANDBOX };
    const { kind } = row;
    if (isNotice(kind)) return prepareNotice({ control: control.reader, publicUrl }, db, workspaceUid, row);
    if (row.address === null) return { dropped: "NO_EMAIL" };
    const suppressed = findSuppressed(db, row.address);
    if (suppressed) return { dropped: suppressed };
    const said = KINDS[kind](db, row);
    if ("dropped" in said) return said;
    const speech = speechFor(db, row.language, said.screenerId);
    const study = said.title.trim() || sender;
    const link = `${publicUrl}${appPath(cell, workspaceUid)}${said.path}`;
    const { screenerId } = said;
    return {
      to: row.address,
      unwritten: { screenerId, language: row.language, ...said.words(speech), link, about: { named: { study } } },
    };
  };
}

/** The same; undefined: it could not be prepared, and waits, as one that the relay does not take yet. It keeps back none of the others. */
export function orLater(prepare: Prepare, { log, presence }: { log: Log; presence: Pick<Presence, "name"> }) {
  return (db: Writer, workspaceUid: string, row: Parameters<Prepare>[2]): ReturnType<Prepare> | undefined => {
    try {
      return prepare(db, workspaceUid, row);
    } catch (error) {
      if (isTransient(error)) throw error;
      log.error({ err: error, workspace: workspaceUid, message: row.uid }, "mail could not be written");
      const now = Date.now();
      markSending(db, row.id, { to: row.address ?? "", sender: presence.name, now });
      recordSent(db, row.id, presence.name, NOT_WRITTEN, now);
      return undefined;
    }
  };
}
