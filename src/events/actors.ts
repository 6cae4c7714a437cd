// The actors of a workspace store: those who have written to it.

import type { Writer } from "../../db/sqlite/connection.ts";
import { idOfName } from "../base/ids.ts";

/** An actor. */
export interface Actor {
  type: "ApplicationActor" | "TenantUserActor" | "OperatorActor" | "ServiceActor";
  uid: string;
  name: string;
}

/** An actor without an id of its own, or whose id was removed. */
export const NOBODY_UID = "00000000-0000-0000-0000-000000000000";

/** The service, as the actor of what it does by itself. */
export const SERVICE: Actor = { type: "ServiceActor", uid: NOBODY_UID, name: "Service" };

/** An operator at the command line, whose id is derived from the name. @param name of the account on the machine */
export function operator(name: string): Actor {
  return { type: "OperatorActor", uid: idOfName(name), name };
}

/** Who has decided something, as it is kept and shown. Only these two call the API. */
export interface Decider {
  _type: "ApplicationActor" | "TenantUserActor";
  id: string;
  name: string;
}

export function asDecider({ type, uid, name }: Actor): Decider {
  return { _type: type as Decider["_type"], id: uid, name };
}

/** @returns the rowid of an actor. Inserts its row, or updates its name, if needed */
export function actorRow(db: Writer, actor: Actor, schema = "main"): number {
  const sql = `SELECT id, name FROM ${schema}.actor WHERE type = ? AND uid = ?`;
  const find = () => db.get<{ id: number; name: string }>(sql, actor.type, actor.uid);
  const known = db.once(`actor ${schema} ${actor.type} ${actor.uid}`, find);
  if (known && known.name === actor.name) return known.id;
  return Number(
    db.value<number>(
      `INSERT INTO ${schema}.actor (type, uid, name) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id`,
      actor.type,
      actor.uid,
      actor.name,
    ),
  );
}
