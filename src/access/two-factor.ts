// Two-factor sign-in: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for who has lost it. Each works once.

import { hash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Writer } from "../../db/sqlite/connection.ts";
import type { RecordEvent } from "../events/record.ts";
import { type Account, findSecondFactor, setSecondFactor, useRecoveryCode, useStep } from "../workspaces/accounts.ts";
import { endSessionsOf } from "../workspaces/console-sessions.ts";
import { findUserFor, type Power, requireAlone } from "./users.ts";

/** What the app calls the account's issuer. */
const ISSUER = "Screening";
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: nobody guesses one, so a fast hash is enough. */
const RECOVERY_BYTES = 10;
/** How many codes before and after the one of now count: clocks of phones are not exact. */
const WINDOW = 1;
const PERIOD_SECONDS = 30;

export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Whether it is a secret as `newSecret` makes them. */
export function isSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** What the QR code says to the app. */
export function appLink(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

function totpOf(secret: string, label = ""): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** The number of the period whose code it is; null: it is none of now. */
function stepOf(secret: string, code: string): number | null {
  const delta = totpOf(secret).validate({ token: code, window: WINDOW });
  return delta === null ? null : Math.floor(Date.now() / 1000 / PERIOD_SECONDS) + delta;
}

/** A code as people type it. */
function plain(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toLowerCase();
}

/**
 * Takes a code of the app, or a recovery code. In a transaction: of two that send the same one at the same time, one gets in.
 * @returns whether it is right, and was not used before
 */
export function takeCode(db: Writer, { id }: Pick<Account, "id">, typed: string): boolean {
  const factor = findSecondFactor(db, id);
  if (!factor) return false;
  const code = plain(typed);
  if (/^\d{6}$/.test(code)) {
    const step = stepOf(factor.secret, code);
    if (step === null || step <= (factor.step ?? 0)) return false;
    useStep(db, id, step);
    return true;
  }
  return useRecoveryCode(db, id, hash("sha256", code));
}

/** Sets two-factor sign-in up for an account, if the code is one of the secret. All sessions end. @returns the recovery codes, which are shown once */
export function setUp(db: Writer, { id }: Pick<Account, "id">, secret: string, typed: string): string[] | undefined {
  const code = plain(typed);
  const step = /^\d{6}$/.test(code) ? stepOf(secret, code) : null;
  if (step === null || findSecondFactor(db, id)) return undefined;
  const codes = newCodes();
  setSecondFactor(db, id, { secret, step, hashes: codes.map((one) => hash("sha256", plain(one))) });
  endSessionsOf(db, id, null);
  return codes;
}

function newCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    randomBytes(RECOVERY_BYTES)
      .toString("hex")
      .replaceAll(/(.{5})(?!$)/g, "$1-"),
  );
}

/** The event of two-factor sign-in that was set up, or taken away. */
export function twoFactorEvent(uid: string, isOn: boolean) {
  const changes = [{ field: "twoFactor", from: !isOn, to: isOn }];
  const type = isOn ? "user.two-factor-set-up" : "user.two-factor-removed";
  return { type, resource: { type: "User", uid }, changes } as const;
}

/** Takes two-factor sign-in away from somebody who has lost the app and the recovery codes. All sessions end. @throws NotThere, Refused */
export function resetTwoFactor(db: Writer, record: RecordEvent, workspaceId: number, uid: string, by: Power): void {
  const user = findUserFor(by, db, workspaceId, uid);
  requireAlone(db, user, by);
  if (user.has_two_factor === 0) return;
  setSecondFactor(db, user.id, null);
  endSessionsOf(db, user.id, null);
  record(twoFactorEvent(user.uid, false));
}
