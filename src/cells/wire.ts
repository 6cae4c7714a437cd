// What one cell says to another when a workspace moves: JSON, and pieces of files, under /cell/moves.
//
//   POST   /cell/moves                           begins: NewMove, with the ticket as bearer    201 Begun
//   PUT    /cell/moves/{id}/files/{path}?offset= a piece of a file, at most MAX_PIECE_BYTES    204
//   POST   /cell/moves/{id}/prepare              checks all files: Prepare                     204
//   POST   /cell/moves/{id}/activate             from now on the workspace is there            204; 404 UNKNOWN_MOVE
//   DELETE /cell/moves/{id}                      forgets a move that was not activated         204
//
// After the first request, the token of its answer is the bearer. An error is { "detail": "…", "code": "…" }; without such a body it
// comes from something between the cells.

import * as v from "valibot";

export const MAX_PIECE_BYTES = 4 * 1024 * 1024;

/** The paths of a workspace's files while it moves. */
export const STORE = "store.sqlite";
export const WAL = "store.sqlite-wal";
export const LEDGER = "ledger.sqlite";
export const FILE = /^(?:store\.sqlite(?:-wal)?|ledger\.sqlite|(?:spool|results)\/[\w-][\w.-]*)$/;

const uuid = v.pipe(v.string(), v.uuid());

/** The operator who moves the workspace, for the cause of the event. */
const By = v.object({ uid: v.string(), name: v.string(), note: v.nullable(v.string()) });

export const NewMove = v.object({
  /** The id of the move, which the cell makes that the workspace comes from. */
  move: uuid,
  workspace: uuid,
  /** The name of the cell that it comes from. */
  from: v.string(),
  /** The versions of the stores' schemas: both cells must have the same. */
  schema: v.object({ control: v.number(), workspace: v.number() }),
  /** About how much will come. */
  bytes: v.number(),
  by: By,
});
export type NewMove = v.InferOutput<typeof NewMove>;

/** The name of the cell that it goes to, and what it asks for from now on. */
export const Begun = v.object({ token: v.string(), cell: v.string() });
export type Begun = v.InferOutput<typeof Begun>;

/** The sizes of all files, by their paths. */
export const Prepare = v.object({ files: v.record(v.pipe(v.string(), v.regex(FILE)), v.number()) });
export type Prepare = v.InferOutput<typeof Prepare>;

/** The key in Redis of a ticket, which is valid for so long, and once. Its value is the workspace's id. */
export const ticketKey = (ticket: string) => `screening:cell-ticket:${ticket}`;
export const TICKET_SECONDS = 60;

/** The code of an error: the cell knows nothing of the move, so the workspace will never be there. */
export const UNKNOWN_MOVE = "unknown_move";
/** The code of an error: the workspace has arrived, so the move can't be taken back. */
export const ARRIVED = "arrived";
