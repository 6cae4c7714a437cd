// Problems: the failures that we explain to callers (RFC 9457). Anything else that is thrown is a bug.

import { catalogue } from "./problem-catalogue.ts";

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
  /** Of row_count_differs: how many rows there are, and how many there should be. */
  rows?: number;
  expectedRows?: number;
  /** The id of the job that failed or was cancelled. */
  jobId?: string;
}

/** Further members that a problem may have. */
const NUMBERS = ["removals", "assignments", "maxRemovals", "rows", "expectedRows"] as const;

interface ProblemOptions {
  detail?: string;
  errors?: ProblemDetail[];
  /** Needed when `errors` does not hold all errors. */
  errorCount?: number;
  supportedVersions?: string[];
  /** Further members of the document. */
  members?: Pick<ProblemDocument, (typeof NUMBERS)[number]>;
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
    const { detail, errors, errorCount, jobId } = document;
    const numbers = NUMBERS.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]] as const]));
    const headers: Record<string, string> = document.status === 503 ? { "Retry-After": "5" } : {};
    return new Problem(document.code, {
      detail,
      headers,
      members: Object.fromEntries(numbers),
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
