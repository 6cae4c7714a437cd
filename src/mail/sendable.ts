// Whether a workspace can send mail at all.

import { Problem } from "../base/problems.ts";
import type { Context } from "../http/context.ts";
import { findWorkspace } from "../workspaces/queries.ts";

/** What sends mail for a workspace. @throws Problem mail_not_configured, sandbox_sends_no_mail */
export function mailFor({ mail, control }: Pick<Context, "mail" | "control">, workspaceUid: string) {
  if (!mail) throw new Problem("mail_not_configured");
  if (findWorkspace(control.reader, workspaceUid)!.is_sandbox) throw new Problem("sandbox_sends_no_mail");
  return mail;
}
