// Changes that an operator makes with the command line: each has its event, in the transaction that makes it.

import { userInfo } from "node:os";
import type { Control } from "../../../db/control.ts";
import { SchemaTooNewError } from "../../../db/migrate.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { isDamage, StoreRefusedError } from "../../../db/sqlite/refused.ts";
import { immediate, isTransient } from "../../../db/sqlite/write.ts";
import type { Workspaces } from "../../../db/workspaces.ts";
import { NotThere, Refused } from "../../access/faults.ts";
import { operator } from "../../events/actors.ts";
import { movePending, pendEvent } from "../../events/outbox.ts";
import { type Cause, type RecordEvent, recordEvent } from "../../events/record.ts";
import { assertHere } from "../../workspaces/moving.ts";
import { NotFound, WrongUse } from "./command.ts";

interface Stores {
  control: Control;
  workspaces: Workspaces;
}

/** The operator, as the cause of a change. @param note of the option --note */
export function causedByOperator(note: string | undefined): Cause {
  return { actor: operator(OPERATOR), requestId: null, jobUid: null, note: note || null };
}

/** Runs `change` in a transaction on the control store. It records what it changes for a workspace. */
export function changeControl<T>(
  stores: Stores,
  workspaceUid: string,
  cause: Cause,
  change: (db: Writer, record: RecordEvent) => T,
): T {
  const { writer } = stores.control;
  const result = immediate(writer, () => {
    assertHere(writer, workspaceUid);
    return change(writer, (event) => pendEvent(writer, workspaceUid, cause, event));
  });
  showEvents(stores, workspaceUid);
  return result;
}

/** As changeControl, for users and keys. @throws NotFound, WrongUse */
export function changeAccess<T>(
  stores: Stores,
  { uid }: { uid: string },
  note: string | undefined,
  change: (db: Writer, record: RecordEvent) => T,
): T {
  try {
    return changeControl(stores, uid, causedByOperator(note), change);
  } catch (error) {
    if (error instanceof NotThere) throw new NotFound(error.message);
    if (error instanceof Refused) throw new WrongUse(error.message);
    throw error;
  }
}

/** Runs `change` in a transaction on a workspace's store. It records what it changes. */
export function changeStore<T>(
  { control, workspaces }: Stores,
  workspaceUid: string,
  cause: Cause,
  change: (db: Writer, record: RecordEvent) => T,
): T {
  assertHere(control.reader, workspaceUid);
  return workspaces.write(workspaceUid, (db) => change(db, (event) => recordEvent(db, cause, event)));
}

/** Moves events of the control store to the log of their workspace now. If that fails, the service does it later. */
export function showEvents({ control, workspaces }: Stores, workspaceUid: string): void {
  try {
    movePending(control.writer, workspaceUid, (work) => workspaces.write(workspaceUid, work));
  } catch (error) {
    // The change is made, also where the store is fenced off, missing or damaged.
    const isLater = isTransient(error) || isDamage(error);
    if (!isLater && !(error instanceof StoreRefusedError || error instanceof SchemaTooNewError)) throw error;
  }
}

/** Before the command becomes the owner of the data (owner.ts). */
const OPERATOR = nameOfOperator();

/** The name of the account on the machine; its number, if it has no name. */
function nameOfOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "?"}`;
  }
}
