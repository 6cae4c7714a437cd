// A participant who is erased, and how what jobs keep of one is found and removed.

import type { Writer } from "../../db/connection.ts";
import type { ProblemDetail, ProblemDocument } from "../problems.ts";

/** What names a participant. */
export interface Person {
  uid: string;
  /** The one that the participant has, and former ones that nobody has now. */
  externalUids: string[];
  /** In the same way. */
  emails: string[];
  /** Public ids, also of assignments that were removed. */
  assignments: string[];
  /** Public ids and slugs: what links are made of. */
  sessions: string[];
  slugs: string[];
  /** The name, and former ones. */
  names: string[];
}

/** Removes what a job's result file has of a person. Call it inside a transaction. @returns whether there was anything */
export type Forget = (file: Writer, person: Person) => boolean;

/** Errors show at most so much of a value (import/row-errors.ts). */
const MAX_QUOTED_LENGTH = 100;

/** A value as errors show it. */
export function quotedAs(value: string): string {
  return value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH)}…` : value;
}

/** What takes the place of an error's message. */
export const ERASED_MESSAGE = "is about a participant who was erased";

/** Finds and removes a person in JSON that jobs and replies keep. */
export class Mentions {
  readonly #externalUids: ReadonlySet<unknown>;
  /** As errors show them. */
  readonly #quotedUids: ReadonlySet<unknown>;
  /** In lower case, whole and as errors show them. */
  readonly #emails: ReadonlySet<string>;
  readonly #ids: ReadonlySet<unknown>;
  /** One of these, or of the names, as a whole word. */
  readonly #word: RegExp;
  /** In lower case, as they stand in JSON. */
  readonly #texts: string[];

  constructor(person: Person) {
    const { uid, externalUids, emails, assignments, sessions, slugs } = person;
    const ids = [uid, ...assignments, ...sessions, ...slugs];
    this.#externalUids = new Set(externalUids);
    this.#quotedUids = new Set(externalUids.map(quotedAs));
    this.#emails = new Set([...emails, ...emails.map(quotedAs)].map((email) => email.toLowerCase()));
    this.#ids = new Set(ids);
    const names = [...ids, ...externalUids, ...emails];
    const any = [...names, ...person.names].map((name) => RegExp.escape(name.toLowerCase())).join("|");
    this.#word = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "u");
    this.#texts = names.map((text) => JSON.stringify(text.slice(0, MAX_QUOTED_LENGTH)).slice(1, -1).toLowerCase());
  }

  /** Whether a text may name the person. A short externalUid is found in many texts. */
  mayBeIn(text: string): boolean {
    const lower = text.toLowerCase();
    return this.#texts.some((one) => lower.includes(one));
  }

  /** Whether a text that a caller has chosen, such as a key or a note, has something that names the person as a whole word. */
  isWordOf(text: string): boolean {
    return this.#word.test(text.toLowerCase());
  }

  /** Whether a kept reply, which is JSON, names the person. */
  isNamedIn(json: string): boolean {
    if (!this.mayBeIn(json)) return false;
    let isNamed = false;
    JSON.parse(json, (_, value) => {
      isNamed ||= this.#isNamedIn(typeof value === "string" && value.startsWith("{") ? parsed(value) : value);
      return value;
    });
    return isNamed;
  }

  /** The outcomes of a job's rows (jobs/rows.ts) without the person: each row stays, and what names the person goes. */
  withoutRows(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const rows: Record<string, unknown>[] = JSON.parse(json);
    return JSON.stringify(rows.map((row) => this.#withoutRow(row)));
  }

  /** A result without the items that name the person. */
  withoutItems(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const result: unknown = JSON.parse(json);
    return Array.isArray(result) ? JSON.stringify(result.filter((item) => !this.#isNamedIn(item))) : json;
  }

  /** A problem whose errors do not name the person. */
  withoutErrors(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const problem: ProblemDocument = JSON.parse(json);
    const errors = problem.errors?.map((error) => this.#withoutError(error));
    if (!errors?.some((error, index) => error !== problem.errors![index])) return json;
    const detail = problem.errorCount === 1 ? `The error ${ERASED_MESSAGE}.` : problem.detail;
    return JSON.stringify({ ...problem, detail, errors });
  }

  #withoutRow(row: Record<string, unknown>): Record<string, unknown> {
    if (this.#isNamedIn(row)) {
      const nobody = {
        externalUid: null,
        participantId: null,
        screenerParticipantId: null,
        status: null,
        sessionId: null,
      };
      return { ...row, ...nobody, changes: [], errors: [] };
    }
    const { errors, changes } = row as { errors: ProblemDetail[]; changes: { from: unknown; to: unknown }[] };
    return {
      ...row,
      changes: changes.filter(({ from, to }) => !this.#isEmail(from) && !this.#isEmail(to)),
      errors: errors.map((error) => this.#withoutError(error)),
    };
  }

  #withoutError(error: ProblemDetail): ProblemDetail {
    const { externalUid, heldBy, value, pointer, row, line } = error;
    const isNamed = this.#quotedUids.has(externalUid) || this.#quotedUids.has(heldBy) || this.#isEmail(value);
    if (!isNamed) return error;
    return { pointer, message: ERASED_MESSAGE, ...(row !== undefined && { row }), ...(line !== undefined && { line }) };
  }

  /** Whether one of the members of an item is the person's. */
  #isNamedIn(item: unknown): boolean {
    if (typeof item !== "object" || item === null) return false;
    return Object.entries(item).some(
      ([name, value]) =>
        this.#ids.has(value) ||
        (/^external(?:Participant)?Uid$/.test(name) && this.#externalUids.has(value)) ||
        (name === "email" && this.#isEmail(value)),
    );
  }

  #isEmail(value: unknown): boolean {
    return typeof value === "string" && this.#emails.has(value.toLowerCase());
  }
}

/** A kept reply has its body as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
