// POST /mail/inbound: a mail server brings what has come to the address in MAIL_INBOUND.

import type { IncomingMessage } from "node:http";
import type { ParameterizedContext } from "koa";
import { invalidRequest, Problem } from "../base/problems.ts";
import type { Inbound } from "../base/settings/mail.ts";
import type { Context } from "../http/context.ts";
import type { Routes } from "../http/routes.ts";
import { readWhole } from "../http/wire/body.ts";
import { requireCoding } from "../http/wire/codings.ts";
import { sendReply } from "../http/wire/reply.ts";
import { type ReturnAddress, readReturnAddress } from "../mail/return-address.ts";
import { type ReturnedMail, readMail } from "../returned-mail/read.ts";
import { isSigned, SIGNATURE, TIMESTAMP } from "../returned-mail/signature.ts";
import { ignored, type Taken, takeReturned } from "../returned-mail/take.ts";
import { findMoved, MovedAway, requireStill } from "../workspaces/moving.ts";
import { findWorkspace } from "../workspaces/queries.ts";

const MAX_MAIL_BYTES = 1024 * 1024;

const PATH = "/mail/inbound";

/** It belongs to no workspace's API: a mail server calls it, for all of them. */
export function inboundMailRoutes(routes: Routes, context: Context): void {
  routes.at(PATH).post(PATH, async (ctx) => {
    ctx.state.route = PATH;
    requireCoding(ctx);
    const { mail, ...taken } = await receive(context, ctx);
    ctx.state.workspace = mail?.workspaceUid;
    const { requestId } = ctx.state;
    const { purpose = null, workspaceUid: workspace, id: message } = mail ?? {};
    context.log.info({ requestId, workspace, message, purpose, ...taken }, "mail came");
    sendReply(ctx, { status: 200, body: JSON.stringify({ _type: "InboundMail", ...taken }) });
  });
}

async function receive(
  context: Context,
  { req, querystring }: ParameterizedContext,
): Promise<Taken & { mail: ReturnAddress | undefined }> {
  const inbound = context.config.mail?.inbound;
  if (!inbound) throw new Problem("mail_not_configured", { detail: "MAIL_INBOUND is not set." });
  const recipient = new URLSearchParams(querystring).get("recipient");
  if (recipient === null) throw invalidRequest([{ pointer: "recipient", message: "is required" }]);
  const address = readReturnAddress(inbound, recipient);
  // Before the body is read: it can be passed on then.
  requireHere(context, address);
  const bytes = await readSigned(req, inbound, recipient);
  const mail = await readMail(bytes);
  const about = address ?? complainedOf(inbound, mail);
  if (!address) requireHere(context, about, bytes);
  const taken = await take(context, about, mail);
  if (isCounted(taken.outcome)) context.mail?.bounced.add(taken.outcome);
  return { ...taken, mail: about };
}

const isCounted = (outcome: Taken["outcome"]) =>
  outcome === "BOUNCED_HARD" || outcome === "BOUNCED_SOFT" || outcome === "COMPLAINED";

/** @throws MovedAway */
function requireHere({ control }: Context, address: ReturnAddress | undefined, bytes?: Buffer): void {
  const cell = address && findMoved(control.reader, address.workspaceUid);
  if (cell !== undefined) throw new MovedAway(cell, bytes);
}

/** Providers send complaints to an address that was agreed on with them. What they are about stands in them. */
function complainedOf(inbound: Inbound, mail: ReturnedMail | undefined): ReturnAddress | undefined {
  for (const named of mail?.complaint?.ours ?? []) {
    const address = readReturnAddress(inbound, named);
    if (address) return address;
  }
  return undefined;
}

/** @throws Problem 403 */
async function readSigned(req: IncomingMessage, { secret }: Inbound, recipient: string): Promise<Buffer> {
  const mail = await readWhole(req, MAX_MAIL_BYTES);
  const header = (name: string) => String(req.headers[name.toLowerCase()] ?? "");
  if (!isSigned(secret, { timestamp: header(TIMESTAMP), recipient, mail }, header(SIGNATURE)))
    throw new Problem("mail_signature_invalid");
  return mail;
}

async function take(
  { control, workspaces, config }: Context,
  address: ReturnAddress | undefined,
  mail: ReturnedMail | undefined,
): Promise<Taken> {
  const workspace = address && findWorkspace(control.reader, address.workspaceUid);
  if (!workspace) return ignored("UNKNOWN_ADDRESS");
  requireStill(control.reader, workspace.uid, workspace.moving);
  if (!mail) return ignored("NOT_READABLE");
  return workspaces.writeWhenFree(workspace.uid, config.writeWaitMs, (db) => takeReturned(db, address, mail));
}
