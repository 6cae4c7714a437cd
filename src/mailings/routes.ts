// /mailings: what people of a study are written, and when.

import type { Reader } from "../../db/sqlite/connection.ts";
import { listTypes } from "../attribute-types/queries.ts";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import { JobReference } from "../base/schemas.ts";
import { withIds } from "../exports/sent-filter.ts";
import { faultsOfFilter } from "../exports/sent-filter-query.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import { defineList, workspaceSource } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { questionsOf } from "./answers.ts";
import { mailingJob } from "./job.ts";
import { faultsOfStep, type SentStep } from "./placeholders.ts";
import { getMailing } from "./queries.ts";
import { faultsOfRecipients, filtersOfSessions, type Recipients } from "./recipients.ts";
import { type MailingPlan, mailing, mailingList, messageList, NewMailing } from "./resource.ts";

const tag = "Mailings";

const list = defineList(mailingList, {
  path: "/mailings",
  operationId: "listMailings",
  tag,
  summary: "List mailings",
  downloads: null,
});

const read = defineRead(mailing, {
  path: "/mailings/:id",
  operationId: "getMailing",
  tag,
  summary: "Get a mailing",
  reply: "The mailing, with how many messages are in which state",
  unknown: "mailing_not_found",
});

const messages = defineList(
  messageList,
  {
    path: "/mailings/:id/messages",
    operationId: "listMailingMessages",
    tag,
    summary: "List the messages of a mailing",
    description:
      "READY and DEFERRED wait. SENT: the relay has taken it. FAILED: it refuses it. DROPPED: it was not sent, with the `reason`. " +
      "UNCERTAIN: the process or the connection ended before the reply.",
    problems: ["mailing_not_found"],
    downloads: "MAILING_MESSAGES",
  },
  (request) => workspaceSource(request).read((db) => getMailing(db, request.params.id!).uid),
);

const example = mailing.example;
const exampleBody = {
  screenerId: exampleIds.screener,
  name: example.name as string,
  kind: "INVITATION" as const,
  subject: example.subject as string,
  body: example.body as string,
};
const jobOf = { ...exampleJob, kind: mailingJob.kind, screenerId: exampleIds.screener };

const create = defineEndpoint({
  method: "post",
  path: "/mailings",
  operationId: "createMailing",
  scopes: ["author"],
  tag,
  summary: "Plan a mailing, and write its messages",
  description:
    "A job that finds out whom it goes to. The mailing has the job's id. With `dryRun` it ends as a plan, with a row for each person: SEND, or SKIP with the reason. Applied, it " +
    "writes the messages, which leave at `at`, within the `window`, at most `perMinute`. Applying a plan may leave people out who should not " +
    "be written to any more; nobody comes to them. When a message is sent, all is looked at again. `subject` and `body` are in the study's language, with " +
    "`{{name|…}}`, `{{attribute:KEY|…}}`, `{{answer:KEY|…}}` and `{{link}}`, which stands on a line of its own. It can't be undone: stop it.",
  isJob: true,
  body: NewMailing,
  together: ({ context, principal }, { screenerId, kind, subject, body, to }, _, { translations, reminders }) =>
    context.workspaces.read(principal.workspaceUid, (db) =>
      faultsOf(db, { screenerId, kind, subject, body, to: to as Recipients, translations, reminders }),
    ),
  replies: {
    200: {
      description: "The job that has written the messages, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    plan: {
      summary: "Show whom it would go to",
      body: { ...exampleBody, dryRun: true },
      reply: {
        ...jobOf,
        status: "PLANNED",
        summary: { send: 1, skip: 0 },
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
      },
    },
  },
  problems: ["screener_not_found", "mail_not_configured", "recipient_limit_exceeded"],
  async handle(request) {
    const { dryRun, ...rest } = request.body;
    // Of a body that is closed, the type has any other member, too.
    const asked = rest as MailingPlan;
    const { context, principal } = request;
    const faults = context.workspaces.read(principal.workspaceUid, (db) => {
      getScreener(db, asked.screenerId);
      return faultsOf(db, asked);
    });
    if (faults.length) throw invalidRequest(faults);
    if (!context.mail) throw new Problem("mail_not_configured");
    const mailing = principal.hidesLinks ? { ...asked, to: namedBySession(request, asked.to) } : asked;
    const payload = { screenerId: asked.screenerId, mailing, dryRun: dryRun ?? false };
    return replyWithJobItself(request, await submitJob(request, mailingJob, payload));
  },
});

/** Of a caller that must not see ids of sessions, and names them by references. */
function namedBySession(request: ApiRequest<unknown>, to: Recipients): Recipients {
  const { filter } = to;
  return filter ? { ...to, filter: workspaceSource(request as ApiRequest).read((db) => withIds(db, filter)) } : to;
}

/** A mailing as it was sent. What is wrong by itself is undefined. */
interface SentMailing extends SentStep {
  screenerId?: string | undefined;
  kind?: MailingPlan["kind"] | undefined;
  to?: Recipients | undefined;
  reminders?: readonly (SentStep | undefined)[] | undefined;
}

/** Everything that the schema does not see. */
function faultsOf(db: Reader, { screenerId, kind, reminders = [], to, ...first }: SentMailing): ProblemDetail[] {
  const declared = listTypes(db).map(({ key }) => key);
  const rules = {
    needsLink: kind !== undefined && kind !== "MESSAGE",
    attributes: declared.length ? new Set(declared) : undefined,
    questions: questionsOf(db, screenerId),
  };
  return [
    ...faultsOfStep(first, "", rules),
    ...reminders.flatMap((step, index) => faultsOfStep(step, `/reminders/${index}`, rules)),
    ...(kind === "MESSAGE" && reminders.length
      ? [{ pointer: "/reminders", message: "must be empty: a MESSAGE asks for nothing of which one could be reminded" }]
      : []),
    ...(to ? faultsOfRecipients(to) : []),
    ...(to ? filtersOfSessions(to) : []).flatMap(({ sent, at }) =>
      faultsOfFilter(sent, at).map(({ pointer, message }) => ({ pointer, message })),
    ),
  ];
}

export const mailingRoutes: AnyEndpoint[] = [list, create, read, messages];
