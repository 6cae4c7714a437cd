// /workspace/mail: how the service sends mail, and a test.

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getAppearance } from "../appearance/queries.ts";
import { findContactCap, setContactCap } from "../contacts/cap.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../http/endpoint.ts";
import { ENGLISH } from "../words/languages.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { writeOnce } from "../writes/write-once.ts";
import { filledWith, letterOf } from "./letter.tsx";
import {
  MailSettings,
  MailSettingsChange,
  MailTest,
  mailExample,
  NewMailTest,
  testExample,
  viewOf,
} from "./resource.ts";
import { mailFor } from "./sendable.ts";

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
  handle: ({ context, principal }) =>
    ok(JSON.stringify(viewOf(context.config, context.workspaces.read(principal.workspaceUid, findContactCap)))),
});

const change = defineEndpoint({
  method: "patch",
  path: "/workspace/mail",
  operationId: "changeMail",
  scopes: ["admin"],
  tag,
  summary: "Change how mail is sent",
  description:
    "`contactCap` counts the messages of mailings that a participant has got, over all studies. Messages that people ask for themselves do not count, " +
    "and are not held back. What is planned already heeds it, too, when it is sent.",
  body: MailSettingsChange,
  replies: { 200: { description: "The settings as they are now", schema: MailSettings } },
  examples: { cap: { body: { contactCap: { messages: 3, days: 30 } }, reply: mailExample } },
  problems: [],
  handle(request) {
    const { body, context, principal } = request;
    return writeOnce(request, (db, record) => {
      const { contactCap: after } = body;
      const before = findContactCap(db);
      if (after !== undefined && !isDeepStrictEqual(before, after)) {
        setContactCap(db, after);
        const resource = { type: "Workspace", uid: principal.workspaceUid };
        record({ type: "workspace.updated", resource, changes: [{ field: "contactCap", from: before, to: after }] });
      }
      return ok(JSON.stringify(viewOf(context.config, findContactCap(db))));
    });
  },
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
  problems: ["mail_not_configured", "sandbox_sends_no_mail", "too_many_requests"],
  async handle({ context, principal, body, requestId }) {
    const { control, workspaces, log } = context;
    const mail = mailFor(context, principal.workspaceUid);
    await mail.tests.count(principal.workspaceUid, "The workspace has sent too many test mails.");
    const sender = findWorkspace(control.reader, principal.workspaceUid)!.name;
    const letter = letterOf({
      ...{ speech: ENGLISH, sender, body: BODY, link: null, fill: filledWith({ workspace: sender }) },
      look: workspaces.read(principal.workspaceUid, getAppearance),
      subject: `A test from ${sender}`,
    });
    const messageId = mail.relay.messageId(randomUUID());
    const { state, reply } = await mail.relay.send({ ...letter, to: body.to, messageId });
    log.info({ requestId, workspace: principal.workspaceUid, state, reply }, "test mail");
    return { status: 200, body: JSON.stringify({ _type: "MailTest", status: state, reply }) };
  },
});

export const mailRoutes: AnyEndpoint[] = [read, change, sendTest];
