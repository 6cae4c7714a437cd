// /mailings-preview and /mailings-test: a message as one person would get it.

import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { NO_ATTRIBUTES } from "../base/attributes.ts";
import { exampleIds } from "../base/examples.ts";
import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import { closedObject, id } from "../base/schemas.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../http/endpoint.ts";
import type { Letter } from "../mail/relay/compose.ts";
import { MailTest, recipient, testExample } from "../mail/resource.ts";
import { mailFor } from "../mail/sendable.ts";
import { getParticipant } from "../nouns/participants/queries.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { letterFor, unwrittenFor } from "./letter.ts";
import { faultsOfStep, type SentStep, type Step, wordMembers } from "./texts.ts";

const tag = "Mailings";

const previewed = {
  screenerId: id,
  ...wordMembers,
  participantId: v.pipe(
    v.optional(v.nullable(id)),
    v.description("As whom it is read. Default: somebody without a name"),
  ),
};

const PreviewBody = v.pipe(closedObject(previewed), v.title("NewMailingPreview"));

const Preview = v.pipe(
  v.object({
    _type: v.literal("MailingPreview"),
    language: v.string(),
    subject: v.string(),
    text: v.string(),
    html: v.string(),
  }),
  v.title("MailingPreview"),
);

type Previewed = v.InferOutput<typeof PreviewBody>;

function faultsOfPreview(words: SentStep): ProblemDetail[] {
  return faultsOfStep(words, "", { needsLink: false, attributes: undefined });
}

/** The message as a person would get it, with a link that leads nowhere. @throws Problem 400, screener_not_found, participant_not_found */
function previewOf(
  { context, principal: { workspaceUid } }: ApiRequest,
  asked: Previewed,
): { letter: Letter; language: string } {
  const { control, config, cell, workspaces } = context;
  return workspaces.read(workspaceUid, (db) => {
    const screener = getScreener(db, asked.screenerId);
    const faults = faultsOfPreview(asked);
    if (faults.length) throw invalidRequest(faults);
    const publication = screener.active_publication_id
      ? findPublicationById(db, screener.active_publication_id)
      : undefined;
    const [language = "en"] = JSON.parse(publication?.languages ?? "[]") as string[];
    const person = asked.participantId ? getParticipant(db, asked.participantId) : undefined;
    const step: Step = { afterDays: 0, subject: asked.subject, body: asked.body, translations: asked.translations };
    const unwritten = unwrittenFor(
      { publicUrl: config.publicUrl, cell, workspaceUid, screenerId: screener.id },
      {
        texts: { language },
        step,
        to: { name: person?.name ?? null, attributes: person?.attributes ?? NO_ATTRIBUTES },
        link: `/screeners/${screener.uid}/example`,
        stop: null,
      },
    );
    return { letter: letterFor(control, db, workspaceUid, unwritten), language: unwritten.language };
  });
}

const preview = defineEndpoint({
  method: "post",
  readsOnly: true,
  path: "/mailings-preview",
  operationId: "previewMailing",
  scopes: ["author"],
  tag,
  summary: "Show a message as one person would get it",
  description: "Nothing is sent, and nothing is kept. Its link leads nowhere.",
  body: PreviewBody,
  together: (_, { subject, body }, __, { translations }) => faultsOfPreview({ subject, body, translations }),
  replies: { 200: { description: "The message", schema: Preview } },
  examples: {
    preview: {
      body: { screenerId: exampleIds.screener, subject: "Hello {{name|friend}}", body: "Dear {{name|friend}}" },
      reply: {
        _type: "MailingPreview",
        language: "en",
        subject: "Hello friend",
        text: "Dear friend\n\n-- \nSleep lab\n",
        html: "<!doctype html>…",
      },
    },
  },
  problems: ["screener_not_found", "participant_not_found"],
  handle: (request) => {
    const { letter, language } = previewOf(request, request.body);
    return ok(JSON.stringify({ _type: "MailingPreview", language, ...letter }));
  },
});

const sendTest = defineEndpoint({
  method: "post",
  readsOnly: true,
  path: "/mailings-test",
  operationId: "testMailing",
  scopes: ["author"],
  tag,
  summary: "Send a message to oneself",
  description: "As the preview, at once. Nothing of it is kept. A workspace may send 20 tests in an hour.",
  body: v.pipe(closedObject({ ...previewed, to: recipient }), v.title("NewMailingTest")),
  together: (_, { subject, body }, __, { translations }) => faultsOfPreview({ subject, body, translations }),
  replies: { 200: { description: "What has become of it", schema: MailTest } },
  examples: {
    test: {
      body: {
        ...{ screenerId: exampleIds.screener, subject: "Hello {{name|friend}}", body: "Dear {{name|friend}}" },
        to: "ada@example.org",
      },
      reply: testExample,
    },
  },
  problems: [
    "screener_not_found",
    "participant_not_found",
    "mail_not_configured",
    "sandbox_sends_no_mail",
    "too_many_requests",
  ],
  async handle(request) {
    const { log } = request.context;
    const { workspaceUid } = request.principal;
    const { to, ...asked } = request.body;
    const { letter } = previewOf(request, asked);
    const mail = mailFor(request.context, workspaceUid);
    await mail.tests.count(workspaceUid, "The workspace has sent too many test mails.");
    const { state, reply } = await mail.relay.send({ ...letter, to, messageId: mail.relay.messageId(randomUUID()) });
    log.info({ requestId: request.requestId, workspace: workspaceUid, state, reply }, "test mail");
    return { status: 200, body: JSON.stringify({ _type: "MailTest", status: state, reply }) };
  },
});

export const mailingPreviewRoutes: AnyEndpoint[] = [preview, sendTest];
