// Changes that an admin makes to users and keys: in a transaction on the control store, with the admin's name in the log.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import type { Power } from "../../access/users.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { RecordEvent } from "../../events/record.ts";
import { unauthenticated } from "../../http/auth.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { callerOf } from "./calls.ts";
import type { VisitorRequest } from "./request.ts";
import { visitorOf } from "./visitors.ts";

/** Runs `change` in a transaction. It records what it changes. @throws what `change` throws; Problem 503 */
export function changeAccess<T>(
  { context, ctx, visitor }: VisitorRequest,
  change: (db: Writer, record: RecordEvent, workspaceId: number, by: Power) => T,
): Promise<T> {
  const { control, config } = context;
  const { workspace_uid: workspaceUid, workspace_id: workspaceId } = visitor;
  const cause = { actor: callerOf(visitor).actor, requestId: ctx.state.requestId, jobUid: null, note: null };
  return whenFree(control.writer, config.writeWaitMs, () => {
    // It may have waited for the lock, or come after another change in this transaction.
    const still = visitorOf(context, ctx.req, control.writer);
    if (!still) throw unauthenticated();
    requireHere(control.writer, { workspaceUid });
    const record: RecordEvent = (event) => pendEvent(control.writer, workspaceUid, cause, event);
    return change(control.writer, record, workspaceId, still.is_operator === 1 ? "operator" : "admin");
  });
}
