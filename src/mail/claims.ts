// How messages are claimed: marked as SENDING, in one transaction, by the process that gives them to the relay.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { Prepared } from "./kinds.ts";
import type { MessageRow } from "./outbox.ts";
import type { Returning } from "./relay/relay.ts";

/** A message that was marked as SENDING, and is to be given to the relay. */
export interface Claimed extends Prepared, Pick<MessageRow, "id" | "uid" | "kind"> {
  /** Undefined: nobody brings us what comes back. */
  returning?: Returning;
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
