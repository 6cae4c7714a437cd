// What the page of a person shows of their mail.

import { listUnsubscriptions } from "../../contacts/unsubscriptions.ts";
import { listMessages } from "../../nouns/participants/messages.ts";
import { getParticipant } from "../../nouns/participants/queries.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { UnsubscriptionOfPerson } from "./contact.tsx";
import type { MessageOfPerson } from "./messages.tsx";

const SHOWN_MESSAGES = 50;

/** What was written to a person, and what they want no mail about. */
export async function mailOf({ calls, context, visitor }: VisitorRequest, id: string) {
  const { all, unsubscribed } = context.workspaces.read(visitor.workspace_uid, (db) => {
    const { id: rowid } = getParticipant(db, id);
    return { all: listMessages(db, rowid), unsubscribed: listUnsubscriptions(db, rowid) };
  });
  const titles = new Map<string, string | null>();
  const names = new Map<string, string>();
  const titleIn = async (screenerId: string | null) => {
    if (screenerId === null) return null;
    if (!titles.has(screenerId)) titles.set(screenerId, (await calls.get("getScreener", { id: screenerId })).title);
    return titles.get(screenerId)!;
  };
  const nameIn = async (mailingId: string | null) => {
    if (mailingId === null) return null;
    if (!names.has(mailingId)) names.set(mailingId, (await calls.get("getMailing", { id: mailingId })).name);
    return names.get(mailingId)!;
  };
  const messages: MessageOfPerson[] = [];
  for (const one of all.slice(-SHOWN_MESSAGES).reverse())
    messages.push({ ...one, name: await nameIn(one.mailingId), title: await titleIn(one.screenerId) });
  const unsubscriptions: UnsubscriptionOfPerson[] = [];
  for (const one of unsubscribed) unsubscriptions.push({ ...one, title: await titleIn(one.screenerId) });
  return { messages, messagesTotal: all.length, unsubscriptions };
}
