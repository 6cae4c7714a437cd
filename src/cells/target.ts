// The cell that a workspace moves to, as the one sees it that it comes from (wire.ts).

import { readSync } from "node:fs";
import * as v from "valibot";
import { digestOf } from "./digest.ts";
import type { Directory } from "./directory.ts";
import { askCell, CellAway } from "./line.ts";
import type { MoveRow } from "./moves.ts";
import type { RequestLine } from "./pass.ts";
import { ARRIVED, Begun, MAX_PIECE_BYTES, type NewMove, type Prepare, UNKNOWN_MOVE } from "./wire.ts";

/** The other cell has refused, and says why. */
export class TargetRefusal extends Error {
  readonly status: number;
  /** Undefined: it was not the cell that has answered. */
  readonly code: string | undefined;

  constructor(status: number, detail: string, code: string | undefined) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const MAX_TRIES = 5;
const PAUSE_MS = 200;
/** For one request: the other cell copies a WAL in one of them. */
const TIMEOUT_MS = 120_000;

/** The cell, and how it is found. */
interface Where {
  directory: Directory | undefined;
  cell: string;
}

/** @throws TargetRefusal; Error when it does not answer */
export class Target {
  readonly #where: Where;
  readonly #move: string;
  readonly #token: string;
  /** By performance.now(). */
  #deadline = Number.POSITIVE_INFINITY;

  constructor({
    directory,
    cell,
    uid,
    token,
  }: { directory: Directory | undefined } & Pick<MoveRow, "cell" | "uid" | "token">) {
    this.#where = { directory, cell };
    this.#move = uid;
    this.#token = token;
  }

  /** Begins a move. */
  static async begin(directory: Directory, cell: string, ticket: string, input: NewMove): Promise<Begun> {
    const answer = await send({ directory, cell }, "POST", "/cell/moves", ticket, JSON.stringify(input), 1);
    return v.parse(Begun, answer);
  }

  /** From now on no request takes longer than until then, with all its tries. @param deadline by performance.now(); undefined: none */
  until(deadline: number | undefined): void {
    this.#deadline = deadline ?? Number.POSITIVE_INFINITY;
  }

  /** Sends a piece of a file. */
  async put(file: string, offset: number, bytes: Buffer): Promise<void> {
    await this.#send("PUT", `/files/${file}?offset=${offset}`, bytes);
  }

  /**
   * Sends a file from `from` on, in pieces. @param sent the digests of the pieces that the other cell has: those that are the
   * same are not sent again @returns the file's length
   */
  async putFile(name: string, file: number, sent: string[] = []): Promise<number> {
    const buffer = Buffer.allocUnsafe(MAX_PIECE_BYTES);
    for (let index = 0; ; index++) {
      const offset = index * MAX_PIECE_BYTES;
      const length = readSync(file, buffer, 0, MAX_PIECE_BYTES, offset);
      const bytes = buffer.subarray(0, length);
      const digest = digestOf(bytes);
      if ((length || index === 0) && sent[index] !== digest) {
        await this.put(name, offset, bytes);
        sent[index] = digest;
      }
      if (length < MAX_PIECE_BYTES) return offset + length;
    }
  }

  async prepare(input: Prepare): Promise<void> {
    await this.#send("POST", "/prepare", JSON.stringify(input));
  }

  /** @returns false when the other cell knows nothing of the move: the workspace is not there, and never will be */
  async activate(): Promise<boolean> {
    try {
      await this.#send("POST", "/activate", "");
      return true;
    } catch (error) {
      if (error instanceof TargetRefusal && error.code === UNKNOWN_MOVE) return false;
      throw error;
    }
  }

  /** @returns false when it is too late: the workspace is there */
  async cancel(): Promise<boolean> {
    try {
      await this.#send("DELETE", "", undefined);
      return true;
    } catch (error) {
      if (error instanceof TargetRefusal && error.code === ARRIVED) return false;
      throw error;
    }
  }

  #send(method: string, path: string, body: Buffer | string | undefined): Promise<unknown> {
    return send(this.#where, method, `/cell/moves/${this.#move}${path}`, this.#token, body, MAX_TRIES, this.#deadline);
  }
}

/** All requests may be repeated, but the first one. */
async function send(
  where: Where,
  method: string,
  path: string,
  token: string,
  body: Buffer | string | undefined,
  tries: number,
  deadline = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  for (let number = 1; ; number++) {
    const left = Math.max(1, Math.round(Math.min(TIMEOUT_MS, deadline - performance.now())));
    try {
      return await sendOnce(where, { method, path }, token, body, left);
    } catch (error) {
      const isFinal = error instanceof TargetRefusal && error.code !== undefined && error.status < 500;
      if (isFinal || number >= tries || performance.now() >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * number));
    }
  }
}

async function sendOnce(
  { directory, cell }: Where,
  { method, path }: RequestLine,
  token: string,
  body: Buffer | string | undefined,
  timeoutMs: number,
): Promise<unknown> {
  if (!directory) throw new Error("Cells share a Redis: set REDIS_URL.");
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const digest = bytes ? ["content-digest", digestOf(bytes)] : [];
  const answer = await askCell(directory, cell, {
    ...{ method, path, headers: ["authorization", `Bearer ${token}`, ...digest], body: bytes ?? null },
    ...{ address: "", hops: 0, silenceMs: timeoutMs, signal: AbortSignal.timeout(timeoutMs) },
  }).catch((cause: Error) => {
    throw cause instanceof CellAway
      ? cause
      : new Error(`The cell ${cell} does not answer: ${cause.message}`, { cause });
  });
  const text = await answer.body.text();
  const status = answer.statusCode;
  if (status >= 200 && status < 300) return text ? JSON.parse(text) : undefined;
  const { detail = `It answers ${status}.`, code } = errorIn(text);
  throw new TargetRefusal(status, detail, code);
}

function errorIn(text: string): { detail?: string; code?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
