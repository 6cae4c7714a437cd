// Sends mailings: which of their messages leave now, and what follows from what has become of one. Everything is looked at again in the transaction
// that marks a message as SENDING, so nobody gets what is not so any more.

import type { Control } from "../../db/control.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { markOf } from "../base/ids.ts";
import type { Parsed } from "../base/parsed.ts";
import { Problem } from "../base/problems.ts";
import type { Claimed, Claiming, MailingSender } from "../mail/claims.ts";
import { OF_SANDBOX } from "../mail/kinds.ts";
import { refill } from "../mail/notes.ts";
import { drop, type MessageRow, markSending, OF_MAILING, PAUSES_MS } from "../mail/outbox.ts";
import { openSession } from "../screening/lifecycle.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { addressOf, hashOfMailbox } from "./addresses.ts";
import { type Hours, openAt } from "./hours.ts";
import { unwrittenFor } from "./letter.ts";
import { purposeOf } from "./plan.ts";
import { listDueMailings, listDueMessages, type MailingRow, nextDueAt, reviveUncertain, setNextAt } from "./queries.ts";
import { type SkipReason, type Standing, standingOf } from "./reasons.ts";
import { type Found, findRecipient } from "./recipient.ts";
import { mailing as mailingResource } from "./resource.ts";
import { record, refresh, settle } from "./settle.ts";
import type { Step, Texts } from "./texts.ts";
import { hashOf } from "./write.ts";

const MINUTE_MS = 60_000;
/** How many mailings, and messages of all of them, are looked at in one transaction: it may be on an event loop that serves requests. */
const MAX_MAILINGS = 20;
const MAX_LOOKED_AT = 200;

interface Process {
  control: Control;
  publicUrl: string;
  cell: string | null;
  published: Parsed;
}

export function mailingSender(process: Process): MailingSender {
  return {
    claim(db, claiming) {
      const claimed: Claimed[] = [];
      let looks = MAX_LOOKED_AT;
      for (const row of listDueMailings(db, claiming.now, MAX_MAILINGS)) {
        const max = claiming.max - claimed.length;
        if (max <= 0 || looks <= 0) break;
        const sending = new Sending(db, row, { ...claiming, ...process, max }, looks);
        claimed.push(...sending.claim());
        looks = sending.looks;
      }
      return claimed;
    },
    settle,
  };
}

type SendingOptions = Claiming & Process;

/** One look at a mailing, inside a transaction. */
class Sending {
  readonly #db: Writer;
  readonly #mailing: MailingRow;
  readonly #options: SendingOptions;
  readonly #texts: Texts;
  readonly #isOfSandbox: boolean;
  /** How many messages may still be looked at. */
  looks: number;

  constructor(db: Writer, mailing: MailingRow, options: SendingOptions, looks: number) {
    this.#db = db;
    this.looks = looks;
    this.#mailing = mailing;
    this.#options = options;
    this.#texts = JSON.parse(mailing.texts);
    this.#isOfSandbox = findWorkspace(options.control.reader, options.workspaceUid)!.is_sandbox === 1;
  }

  claim(): Claimed[] {
    const { id, status, hours } = this.#mailing;
    const { now } = this.#options;
    if (status === "STOPPED") return this.#dropAll();
    const opens = hours === null ? now : openAt(JSON.parse(hours) as Hours, now);
    if (opens > now) return this.#waitUntil(opens);
    const standing = standingOf(this.#db, this.#options.published, this.#mailing.screener_id);
    if (standing.waits && this.#mailing.kind !== "MESSAGE") return this.#waitUntil(now + MINUTE_MS);
    const allowed = this.#pace();
    // One of which nothing waits has ended, whatever its pace is.
    if (allowed < 1 && nextDueAt(this.#db, id) !== null)
      return this.#waitUntil(now + Math.ceil(MINUTE_MS / this.#mailing.per_minute!));
    const claimed = this.#claimSome(allowed, standing);
    if (claimed.length) this.#begin(claimed.length);
    if (this.#mailing.resends_uncertain) this.#revive();
    refresh(this.#db, id, now);
    return claimed;
  }

  #waitUntil(at: number): Claimed[] {
    setNextAt(this.#db, this.#mailing.id, at);
    return [];
  }

  /** A stopped mailing: what waits of it is dropped. */
  #dropAll(): Claimed[] {
    const { now } = this.#options;
    const looks = this.looks;
    const waiting = listDueMessages(this.#db, this.#mailing.id, Number.MAX_SAFE_INTEGER, looks);
    this.looks -= waiting.length;
    for (const { id } of waiting) drop(this.#db, id, "STOPPED", now);
    setNextAt(this.#db, this.#mailing.id, waiting.length === looks ? now : null);
    return [];
  }

  /** How many may leave now by the mailing's own pace. */
  #pace(): number {
    const { per_minute, pace_left, paced_at } = this.#mailing;
    const { max, now } = this.#options;
    if (per_minute === null) return max;
    const left = refill(paced_at === null ? undefined : { left: pace_left!, counted_at: paced_at }, per_minute, now);
    return Math.min(max, Math.floor(left));
  }

  /** Some were claimed. */
  #begin(count: number): void {
    const { id, uid, per_minute, pace_left, paced_at, status } = this.#mailing;
    const { now } = this.#options;
    if (per_minute !== null) {
      const left = refill(paced_at === null ? undefined : { left: pace_left!, counted_at: paced_at }, per_minute, now);
      this.#db.run("UPDATE mailing SET pace_left = ?, paced_at = ? WHERE id = ?", left - count, now, id);
    }
    if (status !== "SCHEDULED") return;
    this.#db.run("UPDATE mailing SET status = 'SENDING', begun_at = coalesce(begun_at, ?) WHERE id = ?", now, id);
    record(this.#db, { type: "mailing.started", resource: { type: mailingResource.type, uid } });
  }

  #claimSome(allowed: number, standing: Standing): Claimed[] {
    const { now } = this.#options;
    const claimed: Claimed[] = [];
    for (const row of listDueMessages(this.#db, this.#mailing.id, now, this.looks)) {
      if (claimed.length === allowed) break;
      this.looks--;
      const one = this.#claimOne(row, standing);
      if (one) claimed.push(one);
    }
    return claimed;
  }

  #drop({ id }: MessageRow, reason: string): undefined {
    drop(this.#db, id, reason, this.#options.now);
  }

  /** @returns undefined: it is dropped, or waits until its receiver takes mail again */
  #claimOne(row: MessageRow, standing: Standing): Claimed | undefined {
    const { now, pausedUntil, sender } = this.#options;
    const step = this.#texts.steps[row.step!];
    const found = step && findRecipient(this.#db, this.#mailing, row, step, { ...standing, now: this.#options.now });
    const address = found && addressOf(found.email);
    const hash = address === undefined ? undefined : hashOfMailbox(this.#mailing.uid, address);
    const reason: SkipReason | undefined = found
      ? (found.reason ??
        (hash === undefined ? "NO_EMAIL" : this.#isDuplicate(row, hash) ? "DUPLICATE_EMAIL" : undefined))
      : "REMOVED";
    const until = address === undefined ? undefined : pausedUntil(address);
    if (reason === undefined && until !== undefined) {
      this.#db.run("UPDATE message SET due_at = ? WHERE id = ?", until, row.id);
      return undefined;
    }
    const link = reason === undefined ? this.#linkOf(found!, row, step!) : { dropped: reason };
    if ("dropped" in link) return this.#drop(row, link.dropped);
    // In a sandbox all is done up to here, so that it can be tried: an invitation has made its link.
    if (this.#isOfSandbox) return this.#drop(row, OF_SANDBOX);
    const unwritten = unwrittenFor(
      { ...this.#options, screenerId: this.#mailing.screener_id },
      {
        ...{ texts: this.#texts, step: step!, to: found!, link: link.link },
        assignment: found!.assignment,
        stop: link.link ?? this.#pathOf(found!.session),
      },
    );
    markSending(this.#db, row.id, { to: address!, sender, now });
    this.#db.run(
      `UPDATE message SET ended_at = NULL, language = ?, template = ?, address_hash = ? WHERE id = ?`,
      ...[unwritten.language, hashOf(JSON.stringify(step)), hash!, row.id],
    );
    return { id: row.id, uid: row.uid, kind: OF_MAILING, to: address!, unwritten };
  }

  #isDuplicate({ id, step }: MessageRow, hash: string): boolean {
    return (
      this.#db.value(
        "SELECT 1 FROM message WHERE mailing_id = ? AND address_hash = ? AND step = ? AND id <> ? LIMIT 1",
        ...[this.#mailing.id, hash, step, id],
      ) === 1
    );
  }

  /** The path of the person's link, which an invitation makes. Null: the message has none. */
  #linkOf(found: Found, row: MessageRow, step: Step): { link: string | null } | { dropped: SkipReason } {
    const { hasLink, opensLink } = purposeOf(this.#mailing.kind, step, row.step!);
    if (!hasLink) return { link: null };
    if (found.session !== null) return { link: this.#pathOf(found.session) };
    if (!opensLink) return { dropped: "LINK_EXPIRED" };
    const { cell, workspaceUid } = this.#options;
    try {
      const opened = openSession(this.#db, found.assignment, markOf(cell, workspaceUid), (event) =>
        record(this.#db, event),
      );
      return { link: this.#pathOf(opened.uid) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { dropped: error.document.code === "quota_reached" ? "QUOTA_FULL" : "STUDY_CLOSED" };
    }
  }

  /** Of a session's link. */
  #pathOf(session: string | null): string | null {
    if (session === null) return null;
    return `/screeners/${this.#db.value<string>("SELECT uid FROM screener WHERE id = ?", this.#mailing.screener_id)}/${session}`;
  }

  #revive(): void {
    const { now } = this.#options;
    reviveUncertain(this.#db, this.#mailing.id, { dueAt: now, maxAttempts: PAUSES_MS.length, max: MAX_LOOKED_AT });
  }
}
