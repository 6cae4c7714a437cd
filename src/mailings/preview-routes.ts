// /mailings-preview and /mailings-test: a message as one person would get it.

import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { NO_ATTRIBUTES } from "../base/attributes.ts";
import { exampleIds } from "../base/examples.ts";
import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import { closedObject, id } from "../base/schemas.ts";
import { requireScope } from "../http/auth.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../http/endpoint.ts";
import type { Letter } from "../mail/relay/compose.ts";
import { MailTest, recipient, testExample } from "../mail/resource.ts";
import { mailFor } from "../mail/sendable.ts";
import { getParticipant } from "../nouns/participants/queries.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { findAnsweredBy, questionsOf } from "./answers.ts";
import { letterFor, unwrittenFor } from "./letter.ts";
import { asksForAnswers, faultsOfStep, type SentStep } from "./placeholders.ts";
import { type Step, wordMembers } from "./texts.ts";

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
    screenerSessionId: v.pipe(v.nullable(id), v.description("Whose answers it has. Null: it has none")),
  }),
  v.title("MailingPreview"),
);

type Previewed = v.InferOutput<typeof PreviewBody>;

function faultsOfPreview(db: Reader, screenerId: string | undefined, words: SentStep): ProblemDetail[] {
  const questions = questionsOf(db, screenerId);
  return faultsOfStep(words, "", { needsLink: false, attributes: undefined, questions });
}

/** What is wrong with one, beyond its schema. */
function together(
  { context, principal }: ApiRequest,
  { screenerId, subject, body }: Partial<Previewed>,
  _: unknown,
  { translations }: Pick<SentStep, "translations">,
): ProblemDetail[] {
  return context.workspaces.read(principal.workspaceUid, (db) =>
    faultsOfPreview(db, screenerId, { subject, body, translations }),
  );
}

/** A message as a person would get it. */
interface Written {
  letter: Letter;
  language: string;
  /** The session whose answers it has. */
  session: string | null;
}

/**
 * The message as a person would get it, with links that lead nowhere.
 * @throws Problem 400, screener_not_found, participant_not_found; insufficient_scope for answers that the caller may not read
 */
function previewOf({ context, principal }: ApiRequest, asked: Previewed): Written {
  const { control, config, cell, published, workspaces } = context;
  const { workspaceUid } = principal;
  return workspaces.read(workspaceUid, (db) => {
    const screener = getScreener(db, asked.screenerId);
    const faults = faultsOfPreview(db, screener.uid, asked);
    if (faults.length) throw invalidRequest(faults);
    const publication = screener.active_publication_id
      ? findPublicationById(db, screener.active_publication_id)
      : undefined;
    const [language = "en"] = JSON.parse(publication?.languages ?? "[]") as string[];
    const person = asked.participantId ? getParticipant(db, asked.participantId) : undefined;
    const step: Step = { afterDays: 0, subject: asked.subject, body: asked.body, translations: asked.translations };
    const asksOf = person && [step, ...step.translations].some(asksForAnswers) ? person.uid : undefined;
    if (asksOf !== undefined) requireScope(principal, ["read"]);
    const answered = asksOf === undefined ? undefined : findAnsweredBy(db, screener.id, asksOf);
    const unwritten = unwrittenFor(
      { publicUrl: config.publicUrl, cell, workspaceUid, screenerId: screener.id },
      {
        texts: { language },
        step,
        to: { name: person?.name ?? null, attributes: person?.attributes ?? NO_ATTRIBUTES },
        assignment: answered?.assignment ?? null,
        link: `/screeners/${screener.uid}/example`,
        stop: `/screeners/${screener.uid}/example`,
      },
    );
    // Without what mail programs unsubscribe by.
    const { unsubscribe: _, ...letter } = letterFor({ control, published }, db, workspaceUid, unwritten);
    return { letter, language: unwritten.language, session: answered?.session ?? null };
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
  description:
    "Nothing is sent, and nothing is kept. Its links lead nowhere. Answers of a person are shown to whom has the scope `read`, too.",
  body: PreviewBody,
  together,
  replies: { 200: { description: "The message", schema: Preview } },
  examples: {
    preview: {
      body: { screenerId: exampleIds.screener, subject: "Hello {{name|friend}}", body: "Dear {{name|friend}}" },
      reply: {
        _type: "MailingPreview",
        language: "en",
        subject: "Hello friend",
        text: "Dear friend\n\n-- \nSleep lab\nStop emails: https://study.example.org/…?unsubscribe\n",
        html: "<!doctype html>…",
        screenerSessionId: null,
      },
    },
  },
  problems: ["screener_not_found", "participant_not_found"],
  handle: (request) => {
    const { letter, language, session } = previewOf(request, request.body);
    return ok(JSON.stringify({ _type: "MailingPreview", language, ...letter, screenerSessionId: session }));
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
  together,
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
