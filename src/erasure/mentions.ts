// Finds and removes a person in what jobs, replies and the log keep as JSON.

import type { ProblemDetail, ProblemDocument } from "../base/problems.ts";
import { Identity } from "./identity.ts";
import { ERASED, Names, type Rule } from "./names.ts";
import type { Person } from "./person.ts";

/** What replaces an error's message. */
const ERASED_MESSAGE = "is about a participant who was erased";

/** A member that has changed, in an event or in a row of a job. */
interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** What is looked at of a row of a job (engine/ledger/rows.ts). */
interface JobRow {
  externalUid: string | null;
  participantId: string | null;
  changes: Change[];
  errors: ProblemDetail[];
}

/** Of a session: people's words, and not the session's own. */
const TAGS = "assignedTags";

/** Why somebody has overridden an outcome. */
const REASON = "reason";
/** What somebody has decided of a session or a participant, and why. The review of a screener is a word. */
const DECIDED = new Set(["review", "doNotContact"]);
type Said = { reason: string | null };

/** Whether a member says who a participant is, besides the externalUid. */
const isPersonal = (field: string) => /^(?:email$|name$|attributes\.)/.test(field);

export class Mentions {
  readonly #identity: Identity;
  readonly #names: Names;
  /** As JSON has them, also JSON in JSON. A short one is found by itself alone. */
  readonly #inJson: string[];

  constructor(person: Person) {
    this.#identity = new Identity(person);
    this.#names = namesOf(person);
    this.#inJson = person.externalUids.flatMap((one) => {
      const json = JSON.stringify(one);
      return [json, JSON.stringify(json).slice(1, -1)];
    });
  }

  /** Whether a text names the person. */
  isIn(text: string, rule: Rule): boolean {
    return this.#names.isIn(text, rule);
  }

  /** The text with `[erased]` instead of each mention. */
  without(text: string, rule: Rule): string {
    return this.#names.without(text, rule);
  }

  /** The same of all texts in JSON, also of the names of members. */
  withoutTexts(json: string, rule: Rule): string {
    if (!this.mayBeIn(json)) return json;
    const without = this.#inTexts(JSON.parse(json), rule);
    const after = JSON.stringify(without);
    return after === JSON.stringify(JSON.parse(json)) ? json : after;
  }

  /** Whether JSON may name the person. */
  mayBeIn(json: string): boolean {
    // What JSON writes in another way than it is.
    const text = json.includes("\\") ? json.replaceAll(/\\(?:["\\/]|[bfnrt])/g, " ") : json;
    return (
      this.#names.isIn(text, "SAID") ||
      this.#inJson.some((one) => json.includes(one)) ||
      (text !== json && this.#isInStrings(json))
    );
  }

  /** Whether a kept reply, which is JSON, is about the person. */
  isReplyTo(json: string): boolean {
    let isNamed = false;
    JSON.parse(json, (_, value) => {
      isNamed ||= this.#identity.isNamedIn(typeof value === "string" && value.startsWith("{") ? parsed(value) : value);
      return value;
    });
    return isNamed;
  }

  /** The outcomes of a job's rows (engine/ledger/rows.ts) without the person: each row stays, and what names the person goes. */
  withoutRows(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const rows: JobRow[] = JSON.parse(json);
    const after = JSON.stringify(rows.map((row) => this.#withoutRow(row)));
    return after === JSON.stringify(rows) ? json : after;
  }

  /** What a person has decided, without the reason if they are in it. */
  withoutReason = (json: string): string => JSON.stringify(this.#withoutReason(JSON.parse(json)));

  #withoutReason(said: Said): Said {
    return said.reason !== null && this.isIn(said.reason, "SAID") ? { ...said, reason: ERASED } : said;
  }

  /** A result without the items that name the person: a list, or one thing, such as a publication. */
  withoutItems(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const result: unknown = JSON.parse(json);
    if (!Array.isArray(result)) return this.withoutTexts(json, "SHOWN");
    const others = result.filter((item) => !this.#identity.isNamedIn(item));
    const after = JSON.stringify(
      others.map((item) => (isRow(item) ? this.#withoutRow(item) : this.#withoutTags(item))),
    );
    return after === JSON.stringify(result) ? json : after;
  }

  /** A problem whose errors do not name the person. */
  withoutErrors(json: string): string {
    if (!this.mayBeIn(json)) return json;
    const problem: ProblemDocument = JSON.parse(json);
    const errors = problem.errors?.map((error) => this.withoutError(error));
    if (!errors?.some((error, index) => error !== problem.errors![index])) return json;
    const detail = problem.errorCount === 1 ? `The error ${ERASED_MESSAGE}.` : problem.detail;
    return JSON.stringify({ ...problem, detail, errors });
  }

  /** The error of a row, without the person: the same object if it does not name the person. */
  withoutError(error: ProblemDetail): ProblemDetail {
    const { externalUid, heldBy, value, message } = error;
    const isNamed =
      this.#identity.isQuoted(externalUid) ||
      this.#identity.isQuoted(heldBy) ||
      this.#identity.isEmail(value) ||
      // A value that is wrong may have an email or a name in it.
      (typeof value === "string" && this.#names.isIn(value, "SAID")) ||
      (externalUid !== undefined && this.#names.isIn(externalUid, "SHOWN")) ||
      this.#names.isIn(message, "SHOWN");
    return isNamed ? this.erasedError(error) : error;
  }

  /** What stays of an error of the person's row. */
  erasedError({ pointer, row, line }: ProblemDetail): ProblemDetail {
    return { pointer, message: ERASED_MESSAGE, ...(row !== undefined && { row }), ...(line !== undefined && { line }) };
  }

  /** The changes of an event, as JSON, without the person; null: none is left. Only a reason that names the person goes as a whole. */
  withoutChanges(json: string, isOfParticipant: boolean): string | null {
    if (!this.mayBeIn(json)) return json;
    const changes: Change[] = JSON.parse(json);
    const kept = changes.flatMap((change) => this.#withoutChange(change, isOfParticipant));
    const after = JSON.stringify(kept);
    if (after === JSON.stringify(changes)) return json;
    return kept.length ? after : null;
  }

  /**
   * What another participant has is that one's, also a name that both have. An email or an externalUid that went from one to the other
   * gets a mark, so that readers who follow the events know that they lack a value.
   */
  #withoutChange(change: Change, isOfParticipant: boolean): Change[] {
    const { field, from, to } = change;
    const without = (value: unknown) => {
      if (DECIDED.has(field) && typeof value === "object") return value && this.#withoutReason(value as Said);
      if (isOfParticipant && field !== TAGS) return this.#identity.isOwn(field, value) ? ERASED : value;
      return this.#inTexts(value, field === REASON ? "SAID" : "SHOWN");
    };
    const after = { ...change, from: without(from), to: without(to) };
    const isChangeKept = after.from === from && after.to === to;
    return field === REASON && !isChangeKept ? [] : [after];
  }

  #withoutRow(row: JobRow): JobRow {
    const { externalUid, participantId, changes, errors } = row;
    const hasSameUid = this.#identity.isOwn("externalUid", externalUid);
    // A row that would make somebody, of a list without ids, is about whom its email says.
    const isMeant = hasSameUid || (externalUid === null && changes.some(({ to }) => this.#identity.isOwn("email", to)));
    if (this.#identity.hasId(row) || (isMeant && participantId === null)) {
      const nobody = {
        externalUid: null,
        participantId: null,
        screenerParticipantId: null,
        status: null,
        sessionId: null,
      };
      return { ...row, ...nobody, changes: [], errors: [] };
    }
    // Another participant had this externalUid. The ids name nobody, and readers who follow the events need them.
    const kept = hasSameUid ? changes.filter(({ field }) => !isPersonal(field)) : changes;
    return {
      ...row,
      ...(hasSameUid && { externalUid: ERASED }),
      changes: kept.flatMap((change) => this.#withoutChange(change, true)),
      errors: errors.map((error) => this.withoutError(error)),
    };
  }

  #withoutTags(item: unknown): unknown {
    if (typeof item !== "object" || item === null || !(TAGS in item)) return item;
    return { ...item, [TAGS]: this.#inTexts(item[TAGS], "SHOWN") };
  }

  /** @returns the value itself if it does not name the person */
  #inTexts(value: unknown, rule: Rule): unknown {
    if (typeof value === "string") return this.#names.without(value, rule);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#inTexts(item, rule));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    if (typeof value !== "object" || value === null) return value;
    const before = Object.entries(value);
    const after = before.map(([key, one]) => [this.#names.without(key, rule), this.#inTexts(one, rule)] as const);
    const isObjectKept = after.every(([key, one], index) => key === before[index]![0] && one === before[index]![1]);
    return isObjectKept ? value : Object.fromEntries(after);
  }

  #isInStrings(json: string): boolean {
    let isIn = false;
    JSON.parse(json, (_, value) => {
      isIn ||= typeof value === "string" && this.#names.isIn(value, "SAID");
      return value;
    });
    return isIn;
  }
}

/** The result of an undo has its rows. */
function isRow(item: unknown): item is JobRow {
  return typeof item === "object" && item !== null && "_type" in item && item._type === "JobRow";
}

/** A person is looked for in many files. */
const known = new WeakMap<Person, Names>();

function namesOf(person: Person): Names {
  const names = known.get(person) ?? new Names(person);
  known.set(person, names);
  return names;
}

/** A kept reply has its body as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
