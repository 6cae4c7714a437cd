// What the examples of the API description have in common: ids, an actor, and who changed what.

/** Ids in examples. Where an example is run, each stands for a real id. */
export const exampleIds = {
  screener: "019a5c1e-7d00-7000-8000-000000000001",
  publication: "019a5c1e-7d00-7000-8000-000000000002",
  participant: "019a5c1e-7d00-7000-8000-000000000003",
  screenerParticipant: "019a5c1e-7d00-7000-8000-000000000004",
  session: "7f9c24e5-2b31-4d0a-9c55-0d3e8b6f1a42",
  reference: "c2b1f0a7-93de-ae5c-1f04-6b8e27d95a31",
  job: "019a5c1e-7d00-7000-8000-000000000006",
  page: "019a5c1e-7d00-7000-8000-000000000007",
  ageQuestion: "019a5c1e-7d00-7000-8000-000000000008",
  drinkQuestion: "019a5c1e-7d00-7000-8000-000000000009",
  sleepQuestion: "019a5c1e-7d00-7000-8000-000000000014",
  bornQuestion: "019a5c1e-7d00-7000-8000-000000000015",
  pauseQuestion: "019a5c1e-7d00-7000-8000-000000000016",
  consentQuestion: "019a5c1e-7d00-7000-8000-000000000030",
  walk: "019a5c1e-7d00-7000-8000-000000000017",
  nap: "019a5c1e-7d00-7000-8000-000000000018",
  habitQuestion: "019a5c1e-7d00-7000-8000-000000000041",
  atHome: "019a5c1e-7d00-7000-8000-000000000042",
  atWork: "019a5c1e-7d00-7000-8000-000000000043",
  daily: "019a5c1e-7d00-7000-8000-000000000044",
  rarely: "019a5c1e-7d00-7000-8000-000000000045",
  tea: "019a5c1e-7d00-7000-8000-00000000000a",
  coffee: "019a5c1e-7d00-7000-8000-00000000000b",
  event: "019a5c1e-7d00-7000-8000-00000000000c",
  webhookEndpoint: "019a5c1e-7d00-7000-8000-00000000000d",
  webhookDelivery: "019a5c1e-7d00-7000-8000-00000000000e",
  log: "019a5c1e-7d00-7000-8000-00000000000f",
  quota: "019a5c1e-7d00-7000-8000-000000000012",
  place: "019a5c1e-7d00-7000-8000-000000000013",
  armAssignment: "019a5c1e-7d00-7000-8000-000000000020",
  red: "019a5c1e-7d00-7000-8000-000000000021",
  blue: "019a5c1e-7d00-7000-8000-000000000022",
  link: "019a5c1e-7d00-7000-8000-000000000023",
  image: "019a5c1e-7d00-7000-8000-000000000050",
  user: "019a5c1e-7d00-7000-8000-000000000062",
  participantRequest: "019a5c1e-7d00-7000-8000-000000000051",
  participantNote: "019a5c1e-7d00-7000-8000-000000000061",
  mailSuppression: "019a5c1e-7d00-7000-8000-000000000052",
  mailing: "019a5c1e-7d00-7000-8000-000000000054",
  mailingMessage: "019a5c1e-7d00-7000-8000-000000000053",
} as const;

const byPath: Record<string, string> = {
  screeners: exampleIds.screener,
  "screener-publications": exampleIds.publication,
  participants: exampleIds.participant,
  "screener-participants": exampleIds.screenerParticipant,
  "screener-sessions": exampleIds.session,
  "screener-quotas": exampleIds.quota,
  "screener-links": exampleIds.link,
  "participant-requests": exampleIds.participantRequest,
  "participant-notes": exampleIds.participantNote,
  "mail-suppressions": exampleIds.mailSuppression,
  mailings: exampleIds.mailing,
  jobs: exampleIds.job,
  "workspace/images": exampleIds.image,
  "workspace/users": exampleIds.user,
  events: exampleIds.event,
  "webhook-endpoints": exampleIds.webhookEndpoint,
  "webhook-deliveries": exampleIds.webhookDelivery,
};

/** The example of an id in a path, such as `/screeners/:id`. */
export function exampleIdOf(path: string): string | undefined {
  const [, folder = "", inside] = path.split("/");
  return byPath[folder] ?? byPath[`${folder}/${inside}`];
}

export const exampleActor = {
  _type: "ApplicationActor",
  id: "019a5c1e-7d00-7000-8000-000000000010",
  name: "Recruiting",
};

export const exampleTag = {
  _type: "Tag",
  id: "019a5c1e-7d00-7000-8000-000000000011",
  category: "Region",
  value: "North",
};

export const exampleAudit = {
  createdBy: exampleActor,
  createdAt: "2026-01-30T09:00:00.000Z",
  updatedBy: exampleActor,
  updatedAt: "2026-01-31T12:00:00.000Z",
};

/** A job that was just accepted. */
export const exampleJob = {
  _type: "Job",
  id: exampleIds.job,
  kind: "SCREENER_PARTICIPANTS_IMPORT",
  status: "QUEUED",
  progress: null,
  summary: null,
  problem: null,
  createdBy: exampleActor,
  createdAt: "2026-01-31T12:00:00.000Z",
  startedAt: null,
  finishedAt: null,
  screenerId: null,
  screenerPublicationId: null,
  importMode: null,
  idempotencyKey: null,
  requestId: "req_2b0e7d51",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  attempts: 0,
  warnings: null,
  plan: null,
  blocked: null,
};

export const exampleScreenerParticipant = {
  _type: "ScreenerParticipant",
  id: exampleIds.screenerParticipant,
  screenerId: exampleIds.screener,
  participantId: exampleIds.participant,
  externalParticipantUid: "P-17",
  currentSessionId: exampleIds.session,
  name: "Ada Lovelace",
  email: "ada@example.org",
  status: "IN_PROGRESS",
  // JSON has it only where the current session is reviewed.
  review: undefined,
};
