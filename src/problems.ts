// The catalogue of problems: every failure that we explain to callers (RFC 9457). Anything else that is thrown is a bug.

/** One error in a request. */
export interface ProblemDetail {
  /** JSON pointer into the body, or the name of the query parameter or header. */
  pointer: string;
  message: string;
  /** Only of a row of an import: its number from 1 on, its line in a file, and what a person looks for. */
  row?: number;
  line?: number;
  externalUid?: string;
  /** The value that is wrong, perhaps shortened. */
  value?: string | number | boolean | null;
  /** The externalUid of the participant who has the value. */
  heldBy?: string;
}

/** The errors that a problem lists, and how many there are. */
export interface ErrorsOf {
  errors: ProblemDetail[];
  errorCount: number;
}

/** The limit for `errors` in a problem. `errorCount` counts all of them. */
export const MAX_ERRORS = 100;

const catalogue = {
  unauthenticated: [401, "Authentication required", "The credentials are missing, unknown, revoked or expired."],
  invalid_request: [400, "Invalid request", "The request does not match the API description."],
  unsupported_api_version: [400, "Unsupported API version", "This API version is not supported."],
  insufficient_scope: [403, "Insufficient scope", "The credentials are valid, but their scopes do not allow this."],
  route_not_found: [404, "No such path", "There is nothing at this path."],
  method_not_allowed: [405, "Method not allowed", "This path does not support this method."],
  not_acceptable: [406, "Not acceptable", "No format in Accept, or no coding in Accept-Encoding, is available here."],
  workspace_suspended: [403, "Workspace suspended", "The operator has suspended this workspace. Its data is kept."],
  request_timeout: [408, "Request timeout", "The request did not arrive in time."],
  screener_not_found: [404, "No such screener", "There is no screener with this id."],
  screener_publication_not_found: [404, "No such publication", "There is no publication with this id."],
  participant_not_found: [404, "No such participant", "There is no participant with this id."],
  screener_participant_not_found: [
    404,
    "No such screener participant",
    "There is no screener participant with this id.",
  ],
  screener_session_not_found: [404, "No such session", "There is no session with this id."],
  event_not_found: [404, "No such event", "There is no event with this id."],
  webhook_endpoint_not_found: [404, "No such webhook endpoint", "There is no webhook endpoint with this id."],
  webhook_delivery_not_found: [404, "No such webhook delivery", "There is no webhook delivery with this id."],
  job_not_found: [404, "No such job", "There is no job with this id."],
  external_uid_taken: [409, "External uid taken", "Another participant of the workspace has this externalUid."],
  email_taken: [409, "Email taken", "Another participant of the workspace has this email."],
  screener_not_published: [
    409,
    "Screener not published",
    "The screener has no active publication to open a session on.",
  ],
  confirmation_required: [
    409,
    "Confirmation required",
    "This deletes more than it may without being asked for twice: send the query parameter confirm, too.",
  ],
  webhook_endpoint_disabled: [409, "Webhook endpoint disabled", "The webhook endpoint is disabled: enable it first."],
  webhook_endpoint_limit: [409, "Too many webhook endpoints", "The workspace can't have more webhook endpoints."],
  webhook_replay_limit: [409, "Too many replays", "The webhook endpoint has too many replays under way already."],
  screener_closed: [409, "Screener closed", "The screener takes no answers and opens no sessions now."],
  session_closed: [409, "Session closed", "The session was removed or archived, and accepts no more answers."],
  session_completed: [409, "Session completed", "The session is completed, and accepts no more answers."],
  session_not_completed: [409, "Session not completed", "Only a completed session has an outcome that can be set."],
  quota_reached: [409, "Quota reached", "The publication has reached its target of qualified participants."],
  job_not_finished: [409, "Job not finished", "The job has no result yet."],
  job_not_succeeded: [409, "Job not succeeded", "The job is a plan, failed or was cancelled, and has no result."],
  job_not_cancellable: [409, "Job not cancellable", "The job has started to change data, or has ended."],
  job_not_retryable: [
    409,
    "Job not retryable",
    "The job has not failed, failed for a reason of its caller's, or its body is no longer kept.",
  ],
  job_cancelled: [409, "Job cancelled", "The job was cancelled before it changed anything."],
  removal_limit_exceeded: [
    409,
    "Removal limit exceeded",
    "The import would remove more of the screener's participants than it may. Nothing was changed.",
  ],
  plan_outdated: [
    409,
    "Plan outdated",
    "What the plan was made on has changed since, so that it would not do what it showed. Nothing was changed.",
  ],
  plan_expired: [409, "Plan expired", "The plan was not applied in time."],
  plan_superseded: [409, "Plan superseded", "A later import of the same screener, or a later undo, was applied."],
  job_not_planned: [409, "Job not planned", "The job has no plan that can be applied."],
  job_not_undoable: [409, "Job not undoable", "The job did nothing that can be undone, or it is undone already."],
  event_gone: [410, "Event gone", "The event to go on from is no longer kept, or was lost when a backup was restored."],
  undo_gone: [410, "Undo gone", "What is needed to undo the job is no longer kept."],
  job_result_gone: [410, "Job result gone", "The job's result is no longer kept."],
  precondition_failed: [412, "Precondition failed", "The draft has changed: it no longer matches If-Match."],
  body_too_large: [413, "Body too large", "The body is larger than its limit."],
  result_too_large: [413, "Result too large", "The job would take more space than a workspace may take."],
  unsupported_media_type: [415, "Unsupported media type", "The body must be JSON."],
  export_too_large: [
    422,
    "Export too large",
    "A file of Excel has at most 300,000 cells and 50 million characters here. Filter, or ask for CSV.",
  ],
  idempotency_key_reused: [422, "Idempotency key reused", "This Idempotency-Key was already used for another request."],
  import_budget_exceeded: [
    429,
    "Import budget exceeded",
    "The bodies of this workspace's unfinished imports and plans take too much space.",
  ],
  too_many_requests: [429, "Too many requests", "There were too many requests."],
  headers_too_large: [431, "Headers too large", "The request's headers and query are larger than their limit."],
  internal_error: [500, "Internal error", "Something went wrong on our side. Our log has the same requestId."],
  job_crashed: [
    500,
    "Job crashed",
    "The job crashed its worker three times, and will not run again. It changed nothing.",
  ],
  job_lost: [
    500,
    "Job lost",
    "The workspace's store was replaced by an older one, which does not have what this job did. Please send it again.",
  ],
  job_body_lost: [
    500,
    "Job body lost",
    "The job's body is no longer in the spool. It changed nothing. Please send it again.",
  ],
  workspace_moving: [
    503,
    "Workspace moving",
    "The workspace is moving to another place at this moment. Please try again.",
  ],
  store_busy: [503, "Store busy", "Another write holds the store's lock. Please try again."],
  store_full: [503, "Store full", "There is not enough space to store this. Please try again later."],
  store_refused: [
    503,
    "Store refused",
    "The workspace's store is missing, damaged, or not the one that it should be. Those who run the service have to put it back.",
  ],
  store_unavailable: [503, "Store unavailable", "The store is not available at the moment. Please try again later."],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>;

export type ProblemCode = keyof typeof catalogue;

export const problemCodes = Object.keys(catalogue) as ProblemCode[];

/** The HTTP status of a problem code. */
export function statusOf(code: ProblemCode): number {
  return catalogue[code][0];
}

/** What a problem code means, in a sentence. */
export function meaningOf(code: ProblemCode): string {
  return catalogue[code][2];
}

/** A problem as it is stored with a job, and (with a requestId) as it is sent. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: ProblemDetail[];
  errorCount?: number;
  supportedVersions?: string[];
  /** Of removal_limit_exceeded: how many would go, of how many, and the limit. */
  removals?: number;
  assignments?: number;
  maxRemovals?: number | string;
  /** The id of the job that failed or was cancelled. */
  jobId?: string;
}

interface ProblemOptions {
  detail?: string;
  errors?: ProblemDetail[];
  /** Needed when `errors` does not hold all errors. */
  errorCount?: number;
  supportedVersions?: string[];
  /** Further members of the document. */
  members?: Pick<ProblemDocument, "removals" | "assignments" | "maxRemovals">;
  jobId?: string;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A failure that is reported to the caller. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly document: ProblemDocument;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const [status, title, meaning] = catalogue[code];
    const detail = options.detail ?? meaning;
    super(detail, { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.headers = options.headers ?? {};
    this.document = { type: `/problems/${code}`, title, status, detail, code };
    if (options.errors) {
      this.document.errors = options.errors.slice(0, MAX_ERRORS);
      this.document.errorCount = options.errorCount ?? options.errors.length;
    }
    Object.assign(this.document, options.members);
    if (options.supportedVersions) this.document.supportedVersions = options.supportedVersions;
    if (options.jobId) this.document.jobId = options.jobId;
  }

  /** Makes a problem from its stored document, such as that of a failed job. */
  static fromDocument(document: ProblemDocument): Problem {
    const { detail, errors, errorCount, jobId, removals, assignments, maxRemovals } = document;
    const headers: Record<string, string> = document.status === 503 ? { "Retry-After": "5" } : {};
    return new Problem(document.code, {
      detail,
      headers,
      ...(removals !== undefined && { members: { removals, assignments: assignments!, maxRemovals: maxRemovals! } }),
      ...(errors && { errors }),
      ...(errorCount !== undefined && { errorCount }),
      ...(jobId !== undefined && { jobId }),
    });
  }

  /** The same problem, whose reply has these headers too. */
  withHeaders(headers: Record<string, string>): this {
    Object.assign(this.headers, headers);
    return this;
  }
}

/** 400 with all errors of a request. */
export function invalidRequest(errors: ProblemDetail[], errorCount = errors.length): Problem {
  const more = errorCount > MAX_ERRORS ? ` The first ${MAX_ERRORS} are listed.` : "";
  const [first] = errors;
  const detail = errorCount === 1 && first ? sentenceOf(first) : `The request has ${errorCount} errors.${more}`;
  return new Problem("invalid_request", { detail, errors, errorCount });
}

function sentenceOf({ pointer, message }: ProblemDetail): string {
  // An error of a file says itself where it is.
  const text = message.startsWith("line ") ? `L${message.slice(1)}` : `${pointer || "The body"} ${message}`;
  return text.endsWith("?") ? text : `${text}.`;
}
