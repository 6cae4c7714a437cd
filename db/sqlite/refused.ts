// A store that is not the one that it should be: why, and what somebody has to do.

const FAULTS = {
  missing: "is missing: put it back",
  empty: "is empty: put it back",
  foreign: "is the store of another workspace, or of none: put the right one back",
  older:
    "is older than the ledger: it lacks what jobs have done that have succeeded. Put the newer one back, or accept this one " +
    "with the command `workspace accept-store`",
  damaged: "is damaged: restore it from a backup",
  unreadable: "can't be read and written by this process",
} as const;

type StoreFault = keyof typeof FAULTS;

/** The store is not the one that it should be. Somebody has to replace it by the right one. */
export class StoreRefusedError extends Error {
  readonly fault: StoreFault;
  readonly path: string;
  /** The message without the path, for everybody. */
  readonly summary: string;

  /** @param what what is wrong, where it is not the same for all: it follows on "The store" */
  constructor(
    fault: StoreFault,
    path: string,
    { what = FAULTS[fault], ...options }: ErrorOptions & { what?: string } = {},
  ) {
    super(`The store ${path} ${what}.`, options);
    this.summary = `The workspace's store ${what}.`;
    this.name = "StoreRefusedError";
    this.fault = fault;
    this.path = path;
  }
}

/** Whether SQLite says that the file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}
