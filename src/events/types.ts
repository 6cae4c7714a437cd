// The types of events. Each is declared once: what it says to programs, what the console says to people, and whose data it touches.

/** The groups of events in the console. */
export type EventKind =
  | "imports"
  | "studies"
  | "people"
  | "answers"
  | "access"
  | "downloads"
  | "webhooks"
  | "workspace";

/**
 * Which participants an event touches. people: its resource. assignments: the one that its summary names. answers: the participant of
 * the session that is its resource. anybody: any of the workspace, because a job or an operator has chosen them.
 */
type Touches = "nothing" | "people" | "assignments" | "answers" | "anybody";

interface EventDeclaration {
  kind: EventKind;
  touches: Touches;
  /** What it says to programs. */
  says: string;
  /**
   * What it says to people: a sentence. {who} is replaced by the actor's name, {study} and {person} by theirs, {name} by that of any other resource, {version} by
   * the publication's, {job} by the kind of the job, {what} by the members that have changed, {data} by what was downloaded.
   */
  inWords: string;
}

/** What is downloaded, as `data` of an event says it, and in words. */
export const DOWNLOADED = {
  ANSWERS: "the answers to {study}",
  CODEBOOK: "the codebook of {study}",
  PERSON: "everything about {person}",
  PARTICIPANTS: "the list of people",
  SCREENER_PARTICIPANTS: "the list of people in studies",
  SCREENER_SESSIONS: "the list of links",
  SCREENER_RESPONSES: "the list of answers",
  MAILING_MESSAGES: "the messages of a mailing",
  JOB_ROWS: "the rows of a job",
  WORKSPACE: "all that the workspace has",
} as const;

export type DownloadedData = keyof typeof DOWNLOADED;

/** All types of events. `/events` lists them; webhook endpoints choose from them. */
export const EVENTS = {
  "screener.created": {
    kind: "studies",
    touches: "nothing",
    says: "A screener was created.",
    inWords: "{who} created {study}.",
  },
  "screener.updated": {
    kind: "studies",
    touches: "nothing",
    says: "A screener's title, description, settings or draft was changed.",
    inWords: "{who} changed {what} of {study}.",
  },
  "screener.published": {
    kind: "studies",
    touches: "nothing",
    says: "A screener was published: the new publication is active.",
    inWords: "{who} published {version} of {study}.",
  },
  "screener.deleted": {
    kind: "studies",
    touches: "anybody",
    says: "A screener was deleted, with everything of it.",
    inWords: "{who} deleted {study}, with everything of it.",
  },
  "screener-publication.updated": {
    kind: "studies",
    touches: "nothing",
    says: "A publication's target, tags or status was changed.",
    inWords: "{who} changed {version} of {study}.",
  },
  "screener-translation.updated": {
    kind: "studies",
    touches: "nothing",
    says: "Translations of a screener's draft were changed.",
    inWords: "{who} changed translations of {study}.",
  },
  "screener-translation.deleted": {
    kind: "studies",
    touches: "nothing",
    says: "A language of a screener's draft was deleted, with its translations.",
    inWords: "{who} deleted a language of {study}.",
  },
  "quota.reached": {
    kind: "studies",
    touches: "nothing",
    says: "As many participants as were wanted have qualified by a publication.",
    inWords: "{study} is full: as many people qualified as were wanted.",
  },
  "screener-quota.updated": {
    kind: "studies",
    touches: "nothing",
    says: "A quota's limit was changed, or it was paused or goes on.",
    inWords: "{who} changed {what} of the quota {name} of {study}.",
  },
  "screener-quota.full": {
    kind: "studies",
    touches: "nothing",
    says: "All places of a quota are taken.",
    inWords: "The quota {name} of {study} is full.",
  },
  "screener-quota.opened": {
    kind: "studies",
    touches: "nothing",
    says: "A quota that was full has room again.",
    inWords: "The quota {name} of {study} has room again.",
  },
  "screener-quota.recounted": {
    kind: "studies",
    touches: "anybody",
    says: "Completed sessions were counted into a quota that is newer. The rows of its job say which.",
    inWords: "{who} had finished answers counted into the quota {name} of {study}.",
  },
  "screener-quota.recount-undone": {
    kind: "studies",
    touches: "anybody",
    says: "What a recount did was taken back.",
    inWords: "{who} undid a recount of the quota {name} of {study}.",
  },
  "screener-quota.offered": {
    kind: "answers",
    touches: "anybody",
    says: "Participants who were over quota were offered places: their sessions go on. The rows of its job say which.",
    inWords: "{who} offered places to people who were turned away by the quota {name} of {study}.",
  },
  "screener-quota.offer-undone": {
    kind: "answers",
    touches: "anybody",
    says: "An offer of places was taken back, but for those who have answered since.",
    inWords: "{who} took back an offer of places in the quota {name} of {study}.",
  },
  "image.created": {
    kind: "studies",
    touches: "nothing",
    says: "An image for statements of screeners was sent.",
    inWords: "{who} uploaded an image.",
  },
  "screener-link.created": {
    kind: "studies",
    touches: "nothing",
    says: "An open link of a screener was created.",
    inWords: "{who} made the open link {name} for {study}.",
  },
  "screener-link.updated": {
    kind: "studies",
    touches: "nothing",
    says: "An open link of a screener was changed.",
    inWords: "{who} changed the open link {name} of {study}.",
  },
  "screener-link.revoked": {
    kind: "studies",
    touches: "nothing",
    says: "An open link of a screener was revoked: nobody can join by it any more.",
    inWords: "{who} revoked the open link {name} of {study}.",
  },
  "screener-participant.added": {
    kind: "people",
    touches: "assignments",
    says: "One person was assigned to a screener.",
    inWords: "{who} added {person} to {study}.",
  },
  "screener-participant.joined": {
    kind: "people",
    touches: "assignments",
    says: "Somebody has joined a screener by an open link. Its resource is the screener participant.",
    inWords: "{person} joined {study} by an open link.",
  },
  "mailing.created": {
    kind: "people",
    touches: "nothing",
    says: "A mailing was planned and applied: its messages wait to be sent. Its resource is the screener; the summary has the `mailingId`.",
    inWords: "{who} planned a mailing to people of {study}.",
  },
  "mailing.started": {
    kind: "people",
    touches: "nothing",
    says: "The first messages of a mailing leave.",
    inWords: "A mailing to people of {study} began.",
  },
  "mailing.paused": {
    kind: "people",
    touches: "nothing",
    says: "A mailing was paused.",
    inWords: "{who} paused a mailing to people of {study}.",
  },
  "mailing.resumed": {
    kind: "people",
    touches: "nothing",
    says: "A paused mailing goes on.",
    inWords: "{who} let a mailing to people of {study} go on.",
  },
  "mailing.stopped": {
    kind: "people",
    touches: "nothing",
    says: "A mailing was stopped: what waited of it is dropped.",
    inWords: "{who} stopped a mailing to people of {study}.",
  },
  "mailing.sent": {
    kind: "people",
    touches: "nothing",
    says: "Nothing of a mailing waits any more, no reminder either. The summary says what has become of its messages.",
    inWords: "A mailing to people of {study} was sent.",
  },
  "message.sent": {
    kind: "people",
    touches: "people",
    says: "The relay has taken a message of a mailing to a participant. Its resource is the participant; the summary has the `mailingId` and the `messageId`.",
    inWords: "{person} was sent a message.",
  },
  "message.failed": {
    kind: "people",
    touches: "people",
    says: "A message of a mailing to a participant was refused by the relay, or nobody knows whether it was sent: `state` is FAILED or UNCERTAIN. Its resource is the participant.",
    inWords: "A message to {person} could not be sent.",
  },
  "message.bounced": {
    kind: "people",
    touches: "people",
    says: "A message of a mailing to a participant came back. `isHard`: nobody has the address, and it is suppressed. Its resource is the participant.",
    inWords: "A message to {person} came back.",
  },
  "participant.created": {
    kind: "people",
    touches: "people",
    says: "A participant was created. Those of an import are the rows of its job.",
    inWords: "{who} added {person}.",
  },
  "participant.updated": {
    kind: "people",
    touches: "people",
    says: "A participant was changed. What an import changes is in the rows of its job.",
    inWords: "{who} changed {what} of {person}.",
  },
  "participant-note.written": {
    kind: "people",
    touches: "people",
    says: "Staff wrote a note on a participant. What it says is not in the log.",
    inWords: "{who} wrote a note on {person}.",
  },
  "participant-note.deleted": {
    kind: "people",
    touches: "people",
    says: "A note on a participant was deleted.",
    inWords: "{who} deleted a note on {person}.",
  },
  "participant.erased": {
    kind: "people",
    touches: "anybody",
    says: "A participant was erased, with everything of the person.",
    inWords: "{who} erased a person.",
  },
  "screener-participant.removed": {
    kind: "people",
    touches: "assignments",
    says: "An assignment was removed, and its sessions were archived.",
    inWords: "{who} removed {person} from {study}.",
  },
  "screener-session.created": {
    kind: "answers",
    touches: "answers",
    says: "A session was opened.",
    inWords: "{who} gave {person} a link to {study}.",
  },
  "screener-session.started": {
    kind: "answers",
    touches: "answers",
    says: "A participant has sent the first answers of a session.",
    inWords: "{person} began to answer {study}.",
  },
  "screener-session.language-chosen": {
    kind: "answers",
    touches: "answers",
    says: "A participant has chosen the language of a session's pages.",
    inWords: "{person} chose a language for {study}.",
  },
  "screener-session.answered": {
    kind: "answers",
    touches: "answers",
    says: "A participant has sent more answers of a session.",
    inWords: "{person} answered more of {study}.",
  },
  "screener-session.completed": {
    kind: "answers",
    touches: "answers",
    says: "A session was completed.",
    inWords: "{person} finished {study}.",
  },
  "screener-session.withdrawn": {
    kind: "answers",
    touches: "answers",
    says: "A participant has withdrawn from a session.",
    inWords: "{person} withdrew from {study}.",
  },
  "screener-session.answers-erased": {
    kind: "answers",
    touches: "answers",
    says: "The answers of a session were erased, whose participant has withdrawn.",
    inWords: "{who} erased the answers of {person} to {study}.",
  },
  "participant.unsubscribed": {
    kind: "people",
    touches: "answers",
    says: "A participant has unsubscribed from mail about a study, or from all. Its resource is the session; the summary has the `scope`.",
    inWords: "{person} wants no more emails.",
  },
  "participant.subscribed": {
    kind: "people",
    touches: "answers",
    says: "A participant who had unsubscribed wants mail again. Its resource is the session; the summary has the `scope`.",
    inWords: "{person} wants emails again.",
  },
  "participant-request.created": {
    kind: "people",
    touches: "answers",
    says: "A participant has asked for their data, or to be erased. Its resource is the session; the summary has the `participantRequestId` and the `kind`.",
    inWords: "{person} has asked for their data, or to be erased.",
  },
  "participant-request.closed": {
    kind: "people",
    touches: "people",
    says: "What a participant has asked for is done. Its resource is the participant; the summary has the `participantRequestId` and the `kind`.",
    inWords: "{who} marked a request of {person} as done.",
  },
  "mail-suppression.created": {
    kind: "people",
    touches: "nothing",
    says: "An address is not written to any more. The summary has the `reason`.",
    inWords: "Nobody writes to an email address any more.",
  },
  "mail-suppression.deleted": {
    kind: "people",
    touches: "nothing",
    says: "An address is written to again. The summary has the `reason` why it was not.",
    inWords: "{who} lets an email address be written to again.",
  },
  "screener-session.overridden": {
    kind: "answers",
    touches: "answers",
    says: "A person has set the outcome of a session, or has taken that back.",
    inWords: "{who} changed the outcome of {person} in {study}.",
  },
  "screener-session.accepted": {
    kind: "answers",
    touches: "answers",
    says: "A person has reviewed a session and accepted it: its places are taken.",
    inWords: "{who} accepted {person} in {study}.",
  },
  "screener-session.rejected": {
    kind: "answers",
    touches: "answers",
    says: "A person has reviewed a session and rejected it: its places were given back.",
    inWords: "{who} rejected {person} in {study}.",
  },
  "screener-session.review-reopened": {
    kind: "answers",
    touches: "answers",
    says: "What was decided of a session was taken back: it waits for its review again.",
    inWords: "{who} took back a decision: {person} waits for a review in {study} again.",
  },
  "screener-session.offer-lapsed": {
    kind: "answers",
    touches: "answers",
    says: "The places that were offered for a session have lapsed: it is over quota again.",
    inWords: "The offer of places to {person} in {study} has lapsed.",
  },
  "screener-session.removed": {
    kind: "answers",
    touches: "answers",
    says: "A session was removed.",
    inWords: "{who} removed the link of {person} to {study}.",
  },
  "screener-sessions.opened": {
    kind: "answers",
    touches: "anybody",
    says: "A session was opened for every assignment that had none.",
    inWords: "{who} made a link for all people of {study} who had none.",
  },
  "screener-sessions.tests-deleted": {
    kind: "answers",
    touches: "nothing",
    says: "The test sessions of a screener were deleted, with their answers.",
    inWords: "{who} deleted the test answers of {study}.",
  },
  "participants.erased": {
    kind: "people",
    touches: "anybody",
    says: "Many participants were erased at once. Before it, each of them has a `participant.erased` of its own.",
    inWords: "{who} erased many people at once.",
  },
  "screener-participants.removed": {
    kind: "people",
    touches: "anybody",
    says: "Many screener participants were removed at once, with their sessions archived. The rows of its job say which.",
    inWords: "{who} removed many people at once from {study}.",
  },
  "screener-participants.removal-undone": {
    kind: "people",
    touches: "anybody",
    says: "A removal of many screener participants, or its undo, was taken back.",
    inWords: "{who} undid a removal of many people from {study}, or an undo.",
  },
  "screener-sessions.moved": {
    kind: "answers",
    touches: "anybody",
    says: "Sessions that nobody had begun went on with the active publication. The rows of its job say which.",
    inWords: "{who} moved links to {study} that nobody had opened to the live version.",
  },
  "screener-sessions.moved-back": {
    kind: "answers",
    touches: "anybody",
    says: "What a move of sessions did, or its undo, was taken back.",
    inWords: "{who} took back what an earlier job had moved of the links to {study}.",
  },
  "screener-sessions.reviewed": {
    kind: "answers",
    touches: "anybody",
    says: "Many sessions were accepted or rejected at once. Each of them has an event of its own, too.",
    inWords: "{who} accepted or rejected many people at once in {study}.",
  },
  "screener-sessions.review-undone": {
    kind: "answers",
    touches: "anybody",
    says: "What was decided of many sessions at once was taken back.",
    inWords: "{who} took back what was decided of many people at once in {study}.",
  },
  "import.planned": {
    kind: "imports",
    touches: "nothing",
    says: "An import or an undo has ended as a plan: nothing was changed.",
    inWords: "{who} planned {job} into {study}. Nothing was changed.",
  },
  "import.completed": {
    kind: "imports",
    touches: "anybody",
    says: "An import was applied. The rows of its job say whom it created or changed.",
    inWords: "{who} imported people into {study}.",
  },
  "import.failed": {
    kind: "imports",
    touches: "nothing",
    says: "An import or an undo has failed: nothing was changed.",
    inWords: "A job of {who} for the people of {study} failed. Nothing was changed.",
  },
  "import.undone": {
    kind: "imports",
    touches: "anybody",
    says: "What an import did, or an undo, was taken back.",
    inWords: "{who} took back what an earlier job had changed in {study}.",
  },
  "job.planned": {
    kind: "workspace",
    touches: "nothing",
    says: "A job that is neither an import nor an undo of one has ended as a plan: nothing was changed.",
    inWords: "{who} planned {job}. Nothing was changed.",
  },
  "job.failed": {
    kind: "workspace",
    touches: "nothing",
    says: "A job that is neither an import nor an undo of one has failed. Nothing was changed, unless it was an erasure of many: each whom that had erased has an event of their own.",
    inWords: "{job} of {who} failed.",
  },
  "job.cancelled": {
    kind: "workspace",
    touches: "nothing",
    says: "A job was cancelled, or a plan was ended: nothing was changed.",
    inWords: "{who} cancelled {job}. Nothing was changed.",
  },
  "job.retried": {
    kind: "workspace",
    touches: "nothing",
    says: "Somebody has a job run again that had failed for a reason of the service's own.",
    inWords: "{who} ran {job} again, which had failed.",
  },
  "workspace.created": {
    kind: "workspace",
    touches: "nothing",
    says: "The workspace was created.",
    inWords: "{who} created the workspace.",
  },
  "workspace.updated": {
    kind: "workspace",
    touches: "nothing",
    says: "A setting of the workspace was changed, or its name.",
    inWords: "{who} changed {what} of the workspace.",
  },
  "workspace.suspended": {
    kind: "workspace",
    touches: "nothing",
    says: "The workspace was suspended.",
    inWords: "{who} suspended the workspace.",
  },
  "workspace.restored": {
    kind: "workspace",
    touches: "anybody",
    says: "The workspace was restored from a backup: what came later is lost.",
    inWords: "The workspace was restored from a backup: what came after the backup is lost.",
  },
  "workspace.sandbox-reset": {
    kind: "workspace",
    touches: "anybody",
    says: "The workspace, a sandbox, was emptied. The summary says how much there was.",
    inWords: "{who} emptied the sandbox.",
  },
  "workspace.moved": {
    kind: "workspace",
    touches: "anybody",
    says: "The workspace has moved to another cell.",
    inWords: "The workspace moved to another cell.",
  },
  "workspace.resumed": {
    kind: "workspace",
    touches: "nothing",
    says: "The workspace is in service again.",
    inWords: "{who} put the workspace in service again.",
  },
  "attribute-index.created": {
    kind: "workspace",
    touches: "nothing",
    says: "The values of an attribute of participants have an index.",
    inWords: "{who} added an index of the values of an attribute.",
  },
  "attribute-index.removed": {
    kind: "workspace",
    touches: "nothing",
    says: "The values of an attribute have no index any more.",
    inWords: "{who} removed the index of the values of an attribute.",
  },
  "data.exported": {
    kind: "downloads",
    touches: "nothing",
    says: "A file with people's data, or a codebook, was downloaded. The summary says what it had.",
    inWords: "{who} downloaded {data}.",
  },
  "retention.applied": {
    kind: "workspace",
    touches: "anybody",
    says: "What is older than the workspace keeps was removed.",
    inWords: "{who} removed what is older than the workspace keeps.",
  },
  "user.created": {
    kind: "access",
    touches: "nothing",
    says: "A user was created.",
    inWords: "{who} added {name} as a user.",
  },
  "user.link-issued": {
    kind: "access",
    touches: "nothing",
    says: "A user was given a link to choose another password for the console.",
    inWords: "{who} gave {name} a link to choose a password.",
  },
  "user.joined": {
    kind: "access",
    touches: "nothing",
    says: "Somebody who was invited has come with an account that other workspaces have, too.",
    inWords: "{name} joined with an account that was there already.",
  },
  "user.two-factor-set-up": {
    kind: "access",
    touches: "nothing",
    says: "A user has set up two-factor sign-in: the sign-in asks for a code, too.",
    inWords: "{name} set up two-factor sign-in.",
  },
  "user.two-factor-removed": {
    kind: "access",
    touches: "nothing",
    says: "Two-factor sign-in of a user was taken away, by the user, an admin or an operator.",
    inWords: "{who} took two-factor sign-in of {name} away.",
  },
  "user.tied": {
    kind: "access",
    touches: "nothing",
    says: "A user has signed in by single sign-on for the first time, and is tied to that account from now on.",
    inWords: "{name} signed in by single sign-on for the first time.",
  },
  "user.untied": {
    kind: "access",
    touches: "nothing",
    says: "A user was untied from the account of single sign-on. The sessions in the console have ended.",
    inWords: "{who} untied {name} from the account of single sign-on.",
  },
  "user.disabled": {
    kind: "access",
    touches: "nothing",
    says: "A user was disabled: the tokens and sessions do not work.",
    inWords: "{who} disabled {name}.",
  },
  "user.enabled": {
    kind: "access",
    touches: "nothing",
    says: "A user was enabled again.",
    inWords: "{who} enabled {name} again.",
  },
  "user.role-changed": {
    kind: "access",
    touches: "nothing",
    says: "A user has got another role.",
    inWords: "{who} changed the role of {name}.",
  },
  "user.updated": {
    kind: "access",
    touches: "nothing",
    says: "A user may see the figures of the whole installation, or may not any more.",
    inWords: "{who} changed whether {name} sees the figures of the whole installation.",
  },
  "api-key.created": {
    kind: "access",
    touches: "nothing",
    says: "An API key was issued.",
    inWords: "{who} issued the API key {name}.",
  },
  "api-key.rotated": {
    kind: "access",
    touches: "nothing",
    says: "An API key has got a new secret.",
    inWords: "{who} gave the API key {name} a new secret.",
  },
  "api-key.revoked": {
    kind: "access",
    touches: "nothing",
    says: "An API key was revoked.",
    inWords: "{who} revoked the API key {name}.",
  },
  "access-token.created": {
    kind: "access",
    touches: "nothing",
    says: "An access token was issued.",
    inWords: "{who} issued an access token.",
  },
  "access-token.revoked": {
    kind: "access",
    touches: "nothing",
    says: "An access token was revoked.",
    inWords: "{who} revoked an access token.",
  },
  "webhook-endpoint.created": {
    kind: "webhooks",
    touches: "nothing",
    says: "A webhook endpoint was created.",
    inWords: "{who} added the webhook {name}.",
  },
  "webhook-endpoint.updated": {
    kind: "webhooks",
    touches: "nothing",
    says: "A webhook endpoint was changed, or has got a new secret.",
    inWords: "{who} changed the webhook {name}.",
  },
  "webhook-endpoint.disabled": {
    kind: "webhooks",
    touches: "nothing",
    says: "A webhook endpoint was disabled, because its receiver said so or failed for days.",
    inWords: "The webhook {name} was disabled, because its receiver said so or failed for days.",
  },
  "webhook-endpoint.deleted": {
    kind: "webhooks",
    touches: "nothing",
    says: "A webhook endpoint was deleted.",
    inWords: "{who} deleted the webhook {name}.",
  },
  "webhook-endpoint.tested": {
    kind: "webhooks",
    touches: "nothing",
    says: "A test was sent to a webhook endpoint.",
    inWords: "{who} sent a test to the webhook {name}.",
  },
  "webhook-deliveries.replayed": {
    kind: "webhooks",
    touches: "nothing",
    says: "Deliveries of webhooks were asked for again.",
    inWords: "{who} asked for deliveries of webhooks again.",
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof EVENTS;

export const eventTypes = Object.keys(EVENTS) as EventType[];

/** The types of events that touch the data of such people. */
export function typesTouching(touches: Touches): EventType[] {
  return eventTypes.filter((type) => EVENTS[type].touches === touches);
}
