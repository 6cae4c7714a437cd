// Why a change of users or keys is refused.

/** The workspace has no such user or key. */
export class NotThere extends Error {}

/** Why the API refuses what it can be asked for, too. */
type RefusalCode = "last_admin" | "operators_only" | "user_without_account";

/** It would make no sense. */
export class Refused extends Error {
  readonly code: RefusalCode | undefined;

  constructor(message: string, code?: RefusalCode) {
    super(message);
    this.code = code;
  }
}
