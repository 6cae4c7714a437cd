// What is a person's as a whole: ids, externalUids and emails, as they are and as errors show them.

import type { Person } from "./person.ts";

/** Errors show at most so much of a value (imports/row-errors.ts). */
const MAX_QUOTED_LENGTH = 100;

/** A value as errors show it: those of SQL count characters, and those of earlier releases cut characters in two. */
export function quotedForms(value: string): string[] {
  const characters = [...value];
  if (value.length <= MAX_QUOTED_LENGTH) return [value];
  const short = value.slice(0, MAX_QUOTED_LENGTH).toWellFormed();
  const whole = characters.slice(0, MAX_QUOTED_LENGTH).join("");
  return [...new Set([`${short}…`, characters.length > MAX_QUOTED_LENGTH ? `${whole}…` : value])];
}

export class Identity {
  readonly #ids: ReadonlySet<unknown>;
  readonly #externalUids: ReadonlySet<unknown>;
  /** As errors show them. */
  readonly #quotedUids: ReadonlySet<unknown>;
  /** In lower case, whole and as errors show them. */
  readonly #emails: ReadonlySet<string>;

  constructor({ uid, externalUids, emails, assignments, sessions, slugs }: Person) {
    this.#ids = new Set([uid, ...assignments, ...sessions, ...slugs]);
    this.#externalUids = new Set(externalUids);
    this.#quotedUids = new Set(externalUids.flatMap(quotedForms));
    this.#emails = new Set([...emails, ...emails.flatMap(quotedForms)].map((email) => email.toLowerCase()));
  }

  /** Whether one of the members of an item is an id of the person's. */
  hasId(item: object): boolean {
    return Object.values(item).some((value) => this.#ids.has(value));
  }

  /** Whether one of the members of an item is the person's. */
  isNamedIn(item: unknown): boolean {
    if (typeof item !== "object" || item === null) return false;
    return (
      this.hasId(item) ||
      Object.entries(item).some(
        ([name, value]) =>
          (/^external(?:Participant)?Uid$/.test(name) && this.#externalUids.has(value)) ||
          (name === "email" && this.isEmail(value)),
      )
    );
  }

  /** Whether a member of a participant has a value that nobody else can have had at the same time. */
  isOwn(field: string, value: unknown): boolean {
    return field === "email" ? this.isEmail(value) : field === "externalUid" && this.#externalUids.has(value);
  }

  isEmail(value: unknown): boolean {
    return typeof value === "string" && this.#emails.has(value.toLowerCase());
  }

  /** Whether an error shows an externalUid of the person's. */
  isQuoted(shown: string | undefined): boolean {
    return this.#quotedUids.has(shown);
  }
}
