// How messages are claimed: marked as SENDING, in one transaction, by the process that gives them to the relay. What they say is written out after it.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { MessageRow } from "./outbox.ts";
import type { Returning } from "./relay/compose.ts";

/** What a message says, before it is written out: as data, which threads can hand on. */
export interface Unwritten {
  /** Has the words around it. Null: it is about no study. */
  screenerId: number | null;
  language: string;
  subject: string;
  /** Markdown. */
  body: string;
  /** An address. Null: there is none. */
  link: string | null;
  /** Where its recipient stops such mail. Missing: somebody has asked for it. */
  stop?: string;
  /** Whom placeholders are about; in other messages they are names, as of the study. */
  about: Addressee | { named: Readonly<Record<string, string>> };
}

/** Whom a message is written to. */
export interface Correspondent {
  name: string | null;
  /** The text of src/base/attributes.ts. */
  attributes: string;
}

/** Whose placeholders a message of a mailing has. */
export interface Addressee extends Correspondent {
  /** The id of the assignment whose answers it inserts. Missing: it inserts none. */
  answersOf?: string;
}

export interface Prepared {
  to: string;
  unwritten: Unwritten;
}

/** A message that was marked as SENDING, and is to be given to the relay. */
export interface Claimed extends Prepared, Pick<MessageRow, "id" | "uid" | "kind"> {
  /** Undefined: nobody brings us what comes back. */
  returning?: Returning;
}

/** A message that is to be written out. */
export interface ToWrite extends Prepared {
  messageId: string;
  returning?: Returning | undefined;
}

/** A message that was written out. */
export interface Written {
  /** As the relay gets it. */
  composed: Uint8Array;
  /** Of what it says. */
  hash: string;
}

/** Where mailings have their messages in the outbox. Everything is inside a transaction of the workspace. */
export interface MailingSender {
  /** Marks those as SENDING that may leave now, at most `max`. What may not leave any more is dropped. */
  claim(db: Writer, claiming: Claiming): Claimed[];
  /** Called when it is known what has become of a message, also of one without a mailing. */
  settle(db: Writer, row: MessageRow, now: number): void;
}

export interface Claiming {
  workspaceUid: string;
  max: number;
  now: number;
  /** The lock file of the process. */
  sender: string;
  /** Until when nothing is sent to the domain of an address. Undefined: it may be sent. */
  pausedUntil(address: string): number | undefined;
}
