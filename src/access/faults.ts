// Why a change of users or keys is refused.

/** The workspace has no such user or key. */
export class NotThere extends Error {}

/** It would make no sense. */
export class Refused extends Error {}
