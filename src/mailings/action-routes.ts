// /mailings/{id}/pause, /resume and /stop.

import * as v from "valibot";
import type { Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { closedObject } from "../base/schemas.ts";
import { actorRow } from "../events/actors.ts";
import type { EventType } from "../events/types.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../http/endpoint.ts";
import { noteMail } from "../mail/notes.ts";
import { writeOnce } from "../writes/write-once.ts";
import { getMailing, type MailingRow, setStatus } from "./queries.ts";
import { mailing } from "./resource.ts";

const tag = "Mailings";

const { example } = mailing;

type Action = "pause" | "resume" | "stop";

const RESUMES = { status: "SENDING" } as const;

const ACTIONS: Record<
  Action,
  {
    event: EventType;
    from: readonly MailingRow["status"][];
    to(row: MailingRow, now: number): Parameters<typeof setStatus>[2];
  }
> = {
  pause: {
    event: "mailing.paused",
    from: ["SCHEDULED", "SENDING"],
    to: () => ({ status: "PAUSED", because: "PERSON", at: null }),
  },
  resume: {
    event: "mailing.resumed",
    from: ["PAUSED"],
    to: ({ begun_at }, now) => ({ status: begun_at === null ? "SCHEDULED" : RESUMES.status, at: now }),
  },
  // What waits is dropped by the process that sends.
  stop: {
    event: "mailing.stopped",
    from: ["SCHEDULED", "SENDING", "PAUSED"],
    to: (_, now) => ({ status: "STOPPED", at: now, endedAt: now }),
  },
};

const AFTER = { pause: "PAUSED", resume: "SENDING", stop: "STOPPED" } as const;

/** @param change what else is written */
async function act(request: ApiRequest, action: Action, change: (db: Writer, row: MailingRow) => void = () => {}) {
  const { context, principal, params } = request;
  if (action !== "pause") await noteMail(context.control, principal.workspaceUid, context.config.writeWaitMs);
  const reply = await writeOnce(request, (db, record) => {
    const row = getMailing(db, params.id!);
    const { event, from, to } = ACTIONS[action];
    if (row.status === "SENT" || (row.status === "STOPPED" && action !== "stop")) throw new Problem("mailing_ended");
    if (from.includes(row.status)) {
      const at = new Date();
      setStatus(db, row.id, to(row, at.getTime()));
      change(db, row);
      db.run(
        "UPDATE mailing SET updated_by = ?, updated_at = ? WHERE id = ?",
        ...[actorRow(db, principal.actor), at.toISOString(), row.id],
      );
      record({ type: event, resource: { type: mailing.type, uid: row.uid }, at });
    }
    return ok(mailing.find(db, row.uid)!);
  });
  if (action !== "pause") context.mail?.mailer.kick(principal.workspaceUid);
  return reply;
}

const replies = { 200: { description: "The mailing, as it is now", schema: mailing.schema } };

const pause = defineEndpoint({
  method: "post",
  path: "/mailings/:id/pause",
  operationId: "pauseMailing",
  scopes: ["author"],
  tag,
  summary: "Pause a mailing",
  description:
    "What is on its way to the relay still leaves: at most 4 messages of each process. Pausing it again changes nothing.",
  replies,
  examples: { paused: { reply: { ...example, status: AFTER.pause, pausedBecause: "PERSON", nextAt: null } } },
  problems: ["mailing_not_found", "mailing_ended"],
  handle: (request) => act(request, "pause"),
});

const Resume = v.pipe(
  closedObject({
    resendUncertain: v.pipe(
      v.optional(v.nullable(v.boolean("must be true, false or null"))),
      v.description("Sends those again, too, of which nobody knows whether they left, from now on. Default: as it is"),
    ),
  }),
  v.title("MailingResume"),
);

const resume = defineEndpoint({
  method: "post",
  path: "/mailings/:id/resume",
  operationId: "resumeMailing",
  scopes: ["author"],
  tag,
  summary: "Resume a paused mailing",
  description:
    "After a restore from a backup every mailing is paused. Messages that were due since the backup was taken are UNCERTAIN: they are sent only if " +
    "`resendUncertain` says so, and then some people may get them twice.",
  body: Resume,
  bodyIsOptional: true,
  replies,
  examples: { resumed: { body: {}, reply: { ...example, status: AFTER.resume } } },
  problems: ["mailing_not_found", "mailing_ended"],
  handle(request) {
    const resends = request.body?.resendUncertain;
    return act(request, "resume", (db, { id: rowid }) => {
      if (typeof resends === "boolean")
        db.run("UPDATE mailing SET resends_uncertain = ? WHERE id = ?", resends ? 1 : 0, rowid);
    });
  },
});

const stop = defineEndpoint({
  method: "post",
  path: "/mailings/:id/stop",
  operationId: "stopMailing",
  scopes: ["author"],
  tag,
  summary: "Stop a mailing for good",
  description: "What waits is DROPPED with the reason `STOPPED`. Stopping it again changes nothing.",
  replies,
  examples: { stopped: { reply: { ...example, status: AFTER.stop, nextAt: null } } },
  problems: ["mailing_not_found", "mailing_ended"],
  handle: (request) => act(request, "stop"),
});

export const mailingActionRoutes: AnyEndpoint[] = [pause, resume, stop];
