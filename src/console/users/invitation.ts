// Invitations by mail, where the service sends mail. Nothing of one is kept but the hash of its link: so it is sent at once, and not from the
// outbox, which has messages as they are.

import { randomUUID } from "node:crypto";
import { getAppearance } from "../../appearance/queries.ts";
import { Problem } from "../../base/problems.ts";
import { filledWith, letterOf } from "../../mail/letter.tsx";
import { ENGLISH } from "../../words/languages.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { Made } from "./page.tsx";

const BODY = `{{name}}, you are invited to work in **{{workspace}}**.

Follow this link to choose a password, or to join with the account that you have:

{{link}}

It works once, for three days. If you do not know what this is about, do nothing: without the link nobody gets in.`;

interface Invited {
  name: string;
  email: string;
  /** Of the link. */
  path: string;
}

/**
 * Mails a link to the user: so who uses it has the mailbox, and the admin never sees it. Where that does not work, the admin gets the link to
 * pass on, as everywhere without mail.
 */
export async function sendInvitation(request: VisitorRequest, { name, email, path }: Invited): Promise<Made> {
  const { context, ctx, visitor } = request;
  const { mail, config, log, workspaces } = context;
  const link = config.publicUrl + path;
  if (!mail) return { name, link };
  if (visitor.is_sandbox) return { name, link, notSent: "A sandbox sends no mail." };
  const { workspace_uid: workspace, workspace_name: sender } = visitor;
  try {
    await mail.invitations.count(workspace);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { name, link, notSent: "This workspace has sent very many invitations within an hour." };
  }
  const letter = letterOf({
    ...{ speech: ENGLISH, sender, body: BODY, link, fill: filledWith({ workspace: sender, name }) },
    look: workspaces.read(workspace, getAppearance),
    subject: `Your invitation to ${sender}`,
  });
  const { state, reply } = await mail.relay.send({
    ...letter,
    to: email,
    messageId: mail.relay.messageId(randomUUID()),
  });
  log.info({ requestId: ctx.state.requestId, workspace, state, reply }, "invitation");
  // Who may have got it has it: another copy would be in the admin's hands.
  if (state === "SENT" || state === "UNCERTAIN") return { name, sentTo: email };
  return { name, link, notSent: reply };
}
