// /workspace/mail: how the service sends mail, and a test.

import { randomUUID } from "node:crypto";
import { getAppearance } from "../appearance/queries.ts";
import { Problem } from "../base/problems.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { ENGLISH } from "../words/languages.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { letterOf } from "./letter.tsx";
import { MailSettings, MailTest, mailExample, NewMailTest, testExample, viewOf } from "./resource.ts";

const tag = "Workspace";

const read = defineEndpoint({
  method: "get",
  path: "/workspace/mail",
  operationId: "getMail",
  scopes: ["admin"],
  tag,
  summary: "Get how mail is sent",
  description: "The operator of the service sets it, for all workspaces.",
  replies: { 200: { description: "The settings, without secrets", schema: MailSettings } },
  examples: { mail: { reply: mailExample } },
  problems: [],
  handle: ({ context }) => ({ status: 200, body: JSON.stringify(viewOf(context.config)) }),
});

const BODY = `This is a test from **{{workspace}}**.

If you can read this, the service can send mail. Look also where it is: in the inbox, or among the unwanted.`;

const sendTest = defineEndpoint({
  method: "post",
  // It leaves nothing behind, so one that is repeated is done anew.
  readsOnly: true,
  path: "/workspace/mail/test",
  operationId: "sendTestMail",
  scopes: ["admin"],
  tag,
  summary: "Send a test mail",
  description:
    "Sends one message, at once, and says what the relay has said. Nothing of it is kept. A workspace may send 20 in an hour.",
  body: NewMailTest,
  replies: { 200: { description: "What has become of it", schema: MailTest } },
  examples: { test: { body: { to: "ada@example.org" }, reply: testExample } },
  problems: ["mail_not_configured", "too_many_requests"],
  async handle({ context, principal, body, requestId }) {
    const { mail, control, workspaces, log } = context;
    if (!mail) throw new Problem("mail_not_configured");
    await mail.tests.count(principal.workspaceUid, "The workspace has sent too many test mails.");
    const sender = findWorkspace(control.reader, principal.workspaceUid)!.name;
    const letter = letterOf({
      ...{ speech: ENGLISH, sender, body: BODY, link: null, values: { workspace: sender } },
      look: workspaces.read(principal.workspaceUid, getAppearance),
      subject: `A test from ${sender}`,
    });
    const messageId = mail.relay.messageId(randomUUID());
    const { state, reply } = await mail.relay.send({ ...letter, to: body.to, messageId });
    log.info({ requestId, workspace: principal.workspaceUid, state, reply }, "test mail");
    return { status: 200, body: JSON.stringify({ _type: "MailTest", status: state, reply }) };
  },
});

export const mailRoutes: AnyEndpoint[] = [read, sendTest];
