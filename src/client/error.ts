// The error of an answer that is not a success.

import type { Job, Problem, ProblemError } from "./types.ts";

/** A code that this version of the client knows, or a newer one. */
export type ProblemCode = Problem["code"] | (string & {});

/** What a problem of the API, or of a job, has. */
export type ProblemDetails = Partial<Omit<Problem, "code">> & { code?: ProblemCode };

/**
 * An answer that is no success (RFC 9457), or the problem of a job that failed. What is no problem, such as a proxy's page, has the code
 * `unreadable_answer`. When nothing answers at all, the error is the one that `fetch` throws.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The status of HTTP; of a job, the status that a request that waits for it would have. */
  readonly status: number;
  readonly code: ProblemCode;
  /** What is wrong, each with its pointer; at most 100. */
  readonly errors: readonly ProblemError[];
  /** How many errors there are. */
  readonly errorCount: number;
  /** The id under which the service's log has the request. */
  readonly requestId: string | undefined;
  /** The job that failed. */
  readonly jobId: string | undefined;
  /** After how many seconds it can be tried again. */
  readonly retryAfter: number | undefined;
  /** The whole problem. */
  readonly problem: ProblemDetails;

  constructor(status: number, problem: ProblemDetails, retryAfter?: number) {
    super(problem.detail ?? problem.title ?? `The answer has the status ${status}.`);
    this.status = status;
    this.code = problem.code ?? "unreadable_answer";
    this.errors = problem.errors ?? [];
    this.errorCount = problem.errorCount ?? this.errors.length;
    this.requestId = problem.requestId;
    this.jobId = problem.jobId;
    this.retryAfter = retryAfter;
    this.problem = problem;
  }
}

/** The error of a job that was not done. */
export function errorOfJob({ id, status, problem, requestId }: Job): ApiError {
  const details: ProblemDetails = problem ?? { detail: `The job is ${status}.` };
  return new ApiError(details.status ?? 500, { ...details, jobId: id, ...(requestId !== null && { requestId }) });
}
