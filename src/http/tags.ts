// The texts of the API description that belong to no single endpoint.

import { MAX_LIMIT } from "./list-query.ts";
import { MAX_WAIT_SECONDS } from "./wire/request-headers.ts";

export const INTRODUCTION = `Screeners and their publications, participants, their assignments to screeners, sessions and responses.

## Credentials

Send the key pair (\`X-Service-Api-Key\` and \`X-Service-Api-Secret\`) or an access token (\`Authorization: Bearer\`).
Either is enough. They belong to one workspace; ids of other workspaces are unknown ids.

## Bodies

JSON in UTF-8. Unknown members of a body are ignored, so that a client can send back what it has read. Where a misspelt
member would change what happens (the content of a screener, publishing, an import), it is an error that names the
nearest known member. Unknown query parameters are always errors.

## Lists

JSON (also without \`Accept\`) is one page: \`pagination[offset]\`, \`pagination[limit]\`, at most ${MAX_LIMIT} items.
\`Accept: text/csv\` and \`Accept: application/x-ndjson\` give the whole list as a stream, without pagination. Filters
look like \`filter[status][eq]=ACTIVE\` or \`filter[id][in][]=…&filter[id][in][]=…\`; several filters must all hold.
Lists are ordered by creation, oldest first, unless their description says otherwise.

## Jobs

Imports (also applying a plan, and undoing), publishing, and opening and moving sessions for a whole screener are jobs. The request
waits for its job and gets the result. \`Prefer: respond-async\` does not wait, and \`Prefer: wait=N\` waits up to N seconds (at most
${MAX_WAIT_SECONDS}). A job that has not ended by then is answered with 202, the Job and its path in \`Location\`, and
goes on: see \`GET /jobs/{id}\` and \`GET /jobs/{id}/result\`. Jobs of one workspace take effect in the order in which
they were accepted. An accepted job is not lost, and takes effect at most once.

## Idempotency

Every \`POST\` that changes something takes an \`Idempotency-Key\`. For 24 hours the same key with the same request gets the first reply again,
and has no second effect. The same key with another request is 422 \`idempotency_key_reused\`.

## Errors

Problems as in RFC 9457. \`errors\` has everything that is wrong at once, each with its pointer, at most 100;
\`errorCount\` says how many there are. \`/problems/{code}\` explains a code.`;

export const OF_JOBS =
  "Where the work is a job, the request waits for it, as long as `Prefer` says, and gets its result. If the job has not ended " +
  "by then, the reply is 202 with the Job, and the job goes on.";

export const OF_LISTS =
  "JSON is one page. `Accept: text/csv` and `Accept: application/x-ndjson` give the whole filtered list, without pagination.";

export const TAGS = {
  Screeners: "Questionnaires. What participants see is a publication of a screener.",
  Content: "Pages, questions and rules: a screener's draft, and what was published of it.",
  Translations: "The texts of a screener's draft in other languages. A publication has those of its moment.",
  Publications: "Immutable, numbered copies of a screener. Sessions open on the active one.",
  Quotas: "How many are wanted of which participants, and who has a place.",
  Links: "Open links: who answers the first page of one joins the study.",
  Participants: "The people of a workspace.",
  "Screener participants": "Participants who are assigned to a screener, and the import that assigns them.",
  Sessions: "A participant's way through a publication, and the link to it.",
  Responses: "The answers to questions: as a list, and as one table.",
  Mailings: "What people of a study are written by mail: invitations, reminders and messages.",
  Jobs: "Work that is accepted first and done by a worker. Everything about jobs that a request started.",
  Events: "What was changed in the workspace: by whom, when, and how.",
  Webhooks: "Events that are sent to a receiver as they happen, signed as Standard Webhooks say.",
  Workspace: "The workspace of the credentials as a whole.",
  Health: "For supervisors and load balancers. No credentials are needed.",
} as const;

export type TagName = keyof typeof TAGS;
