// The workspace's cap: how many messages of mailings somebody gets within some days, over all studies.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

interface ContactCap {
  messages: number;
  days: number;
}

/** Null: as many as there are. */
export function findContactCap(db: Reader): ContactCap | null {
  return db.get<ContactCap>("SELECT messages, days FROM contact_cap WHERE id = 1") ?? null;
}

export function setContactCap(db: Writer, cap: ContactCap | null): void {
  if (!cap) db.run("DELETE FROM contact_cap");
  else
    db.run(
      "INSERT INTO contact_cap (id, messages, days) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET messages = excluded.messages, days = excluded.days",
      cap.messages,
      cap.days,
    );
}
