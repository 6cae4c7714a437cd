// The events of jobs. A job that ends has one event: in the log of its workspace, in the transaction that decides its outcome.

import { BY_SERVICE, type Cause, type NewEvent } from "../../events/record.ts";
import type { EventType } from "../../events/types.ts";
import { type JobRow, type Outcome, statusOf } from "./queries.ts";

/** What a kind of job calls its ends. */
export interface JobEvents {
  succeeded: EventType;
  failed: EventType;
  planned?: EventType;
}

/** How the log names the end of a kind of job. */
export interface EndEvents {
  /** The types of the events that say how it ended. */
  events: JobEvents;
  /** The resource of the event, if that is not the screener. @param payload the one that the job was accepted with */
  resourceOf?(payload: unknown): NewEvent["resource"];
}

/** What a handler says of the event of its job. */
export type EventDetails = Pick<NewEvent, "changes" | "summary" | "at">;

type Subject = Pick<JobRow, "uid" | "kind" | "screener_uid">;

/** The cause of a job's run, and the trace of that request. */
export type JobCause = Omit<Cause, "jobUid"> & { traceId?: string | null };

/** The cause of what a job does: the request that submitted it or, if it is a plan, the request that had it applied. */
export function causeOfJob(job: JobRow): Cause {
  if (job.cause !== null) {
    const { actor, requestId, note } = JSON.parse(job.cause) as JobCause;
    return { actor, requestId, note, jobUid: job.uid };
  }
  const actor = { type: job.actor_type, uid: job.actor_uid, name: job.actor_name };
  return { actor, requestId: job.request_id, jobUid: job.uid, note: job.note };
}

/** The cause of what the service itself does to a job. */
export function causedByService(jobUid: string): Cause {
  return { ...BY_SERVICE, jobUid };
}

/** The event of a job that ends. @param about its resource, if that is not the screener */
export function eventOfEnd(
  events: JobEvents,
  job: Subject,
  outcome: Outcome,
  { about, details = {} }: { about?: NewEvent["resource"] | undefined; details?: EventDetails } = {},
): NewEvent {
  const { succeeded, failed, planned = failed } = events;
  const type = { SUCCEEDED: succeeded, FAILED: failed, PLANNED: planned }[statusOf(outcome)];
  const counts = outcome.summary === null ? {} : JSON.parse(outcome.summary);
  const code = outcome.problem === null ? {} : { code: JSON.parse(outcome.problem).code };
  // Several kinds share these two.
  const kind = type === "job.planned" || type === "job.failed" ? { kind: job.kind } : {};
  return {
    type,
    resource: about ?? resourceOf(job),
    ...details,
    summary: { ...kind, ...counts, ...code, ...details.summary },
  };
}

/** The event of a job that was cancelled, or of a plan that was ended. */
export function eventOfCancellation(job: Subject, code: string): NewEvent {
  return { type: "job.cancelled", resource: resourceOf(job), summary: { kind: job.kind, code } };
}

/** The event of a job that had failed, and is to run again. */
export function eventOfRetry(job: Subject & Pick<JobRow, "problem" | "blocked_code">): NewEvent {
  return {
    type: "job.retried",
    resource: resourceOf(job),
    summary: { kind: job.kind, code: job.problem === null ? job.blocked_code : JSON.parse(job.problem).code },
  };
}

/** The screener that a job is about; the job itself while no screener is known. */
function resourceOf({ uid, screener_uid }: Subject): NewEvent["resource"] {
  return screener_uid === null ? { type: "Job", uid } : { type: "Screener", uid: screener_uid };
}
