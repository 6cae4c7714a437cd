// Serves what other cells ask for when a workspace moves to this one (wire.ts). Not a part of the API: proxies do not let it
// through from outside.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { open, statfs } from "node:fs/promises";
import type { Middleware, ParameterizedContext } from "koa";
import * as v from "valibot";
import { currentVersion } from "../../db/migrate.ts";
import { parseJson } from "../base/json.ts";
import type { Context } from "../http/context.ts";
import { readWhole } from "../http/wire/body.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { activateArrival, arrivingPath, beginMove, forgetMove, prepareArrival, readArriving } from "./arrivals.ts";
import { digestOf } from "./digest.ts";
import { findArrival } from "./moves.ts";
import { redeemTicket } from "./tickets.ts";
import { ARRIVED, type Begun, FILE, MAX_PIECE_BYTES, NewMove, Prepare, UNKNOWN_MOVE } from "./wire.ts";

const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** What is not done, and why. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, detail: string, code = "refused") {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const MOVES = "/cell/moves";

/** The middleware for these requests. The others go on to the next one. */
export function arrivalRoutes(context: Context): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== MOVES && !ctx.path.startsWith(`${MOVES}/`)) return next();
    ctx.state.route = MOVES;
    try {
      const [status, body] = await answer(context, ctx);
      ctx.status = status;
      if (body) ctx.body = body;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ctx.status = error.status;
      ctx.body = { detail: error.message, code: error.code };
    }
  };
}

async function answer(context: Context, ctx: ParameterizedContext): Promise<[number, object?]> {
  const [, move = "", step = "", file = ""] =
    /^\/cell\/moves\/([0-9a-f-]{36})(?:\/(prepare|activate|files\/(.+)))?$/.exec(ctx.path) ?? [];
  if (ctx.path === MOVES && ctx.method === "POST") return [201, await begin(context, ctx)];
  if (!move) throw new Refusal(404, "There is nothing at this path.");
  const { dataDir } = context.config;
  const isThere = authorize(context, ctx, move);
  switch (`${ctx.method} ${step}`) {
    case "POST activate": {
      if (!isThere) throw unknownMove();
      const came = await context.pool.ask(activateArrival, move);
      if (came === "UNKNOWN") throw unknownMove();
      if (came !== "ACTIVE") throw new Refusal(409, `The workspace can't be taken over: ${came}.`);
      return [204];
    }
    case "DELETE ":
      if (findArrival(context.control.reader, move)) throw new Refusal(409, "The workspace has arrived.", ARRIVED);
      await context.pool.ask(forgetMove, move);
      return [204];
    case "POST prepare": {
      if (!isThere) throw unknownMove();
      const { files } = await readInput(ctx, Prepare);
      const fault = await context.pool.ask(prepareArrival, { move, files });
      if (fault !== undefined) throw new Refusal(409, fault);
      return [204];
    }
  }
  if (!isThere || !file || ctx.method !== "PUT" || !FILE.test(file))
    throw new Refusal(404, "There is nothing at this path.");
  await writePiece(ctx, arrivingPath(dataDir, move, file));
  return [204];
}

function unknownMove(): Refusal {
  return new Refusal(404, "The move is unknown.", UNKNOWN_MOVE);
}

/** A caller with a ticket may bring a workspace. */
async function begin(context: Context, ctx: ParameterizedContext): Promise<Begun> {
  const { config, control, cell, failedLogins } = context;
  if (cell === null || config.redisUrl === undefined)
    throw new Refusal(409, "This installation is no cell: it needs CELL and REDIS_URL.");
  const workspace = await redeemTicket(config.redisUrl, bearerOf(ctx));
  if (workspace === undefined) {
    await failedLogins.count(ctx.ip, "This address has sent too many tickets that are not valid.");
    throw new Refusal(401, "The ticket is not valid: is it the same Redis?");
  }
  const input = await readInput(ctx, NewMove);
  if (input.workspace !== workspace) throw new Refusal(401, "The ticket is for another workspace.");
  if (input.from === cell) throw new Refusal(409, `The workspace is in this cell: both are named ${cell}.`);
  const schema = { control: currentVersion("control"), workspace: currentVersion("workspace") };
  if (input.schema.control !== schema.control || input.schema.workspace !== schema.workspace)
    throw new Refusal(409, "The two cells run different releases: upgrade one of them first.");
  if (findWorkspace(control.reader, workspace)) throw new Refusal(409, "The workspace is in this cell already.");
  const { bavail, bsize } = await statfs(config.dataDir);
  // Its WAL, and room to work.
  if (bavail * bsize < input.bytes * 1.5) throw new Refusal(507, `The disk of the cell ${cell} has no room for it.`);
  if (findArrival(control.reader, input.move)) throw new Refusal(409, "The workspace has arrived.", ARRIVED);
  const token = randomBytes(32).toString("base64url");
  await context.pool.ask(beginMove, { ...input, token: hash("sha256", token) });
  return { token, cell };
}

/** @returns whether the move is known @throws Refusal when the token is wrong */
function authorize({ config, control }: Context, ctx: ParameterizedContext, move: string): boolean {
  const arriving = readArriving(config.dataDir, move);
  const right = arriving ? Buffer.from(arriving.token, "hex") : findArrival(control.reader, move)?.token;
  if (!right) return false;
  if (!timingSafeEqual(hash("sha256", bearerOf(ctx), "buffer"), right)) throw new Refusal(401, "The token is wrong.");
  return true;
}

function bearerOf(ctx: ParameterizedContext): string {
  return /^Bearer (\S+)$/.exec(ctx.get("Authorization"))?.[1] ?? "";
}

async function readInput<Schema extends v.GenericSchema>(
  ctx: ParameterizedContext,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { success, output, issues } = v.safeParse(schema, parseJson(await readWhole(ctx.req, MAX_JSON_BYTES)));
  if (success) return output;
  throw new Refusal(400, `${v.getDotPath(issues[0]) ?? "The body"}: ${issues[0].message}`);
}

/** Writes a piece at its offset: it may come a second time. `Content-Digest` says what must have come. */
async function writePiece(ctx: ParameterizedContext, path: string): Promise<void> {
  const offset = Number(ctx.query.offset ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Refusal(400, "offset must be a whole number.");
  const bytes = await readWhole(ctx.req, MAX_PIECE_BYTES);
  if (ctx.get("Content-Digest") !== digestOf(bytes)) throw new Refusal(400, "The piece is not what was sent.");
  // Made if it is not there, and not emptied if it is.
  const file = await open(path, "a").then(async (made) => {
    await made.close();
    return open(path, "r+");
  });
  try {
    // One call may write a part of it, where the disk is nearly full.
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
    // Else all of it would have to be synced at the end, while nobody serves the workspace.
    await file.datasync();
  } finally {
    await file.close();
  }
}
