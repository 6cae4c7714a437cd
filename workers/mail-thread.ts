// The thread that sends mail. It is the same with BullMQ and on a single node.

import { parentPort } from "node:worker_threads";
import { Piscina } from "piscina";
import { openControl } from "../db/control.ts";
import { EVENT_LOOP } from "../db/profiles.ts";
import { isProcessAlive } from "../db/sqlite/lock.ts";
import { isTransient } from "../db/sqlite/write.ts";
import { Workspaces } from "../db/workspaces.ts";
import { createLogTo } from "../src/base/log.ts";
import { Parsed } from "../src/base/parsed.ts";
import { watchedStores } from "../src/engine/run/stores.ts";
import { loadWhileOpen } from "../src/engine/threads/loading.ts";
import { lowerPriority } from "../src/engine/threads/priority.ts";
import { TRANSIENT } from "../src/engine/threads/thread-errors.ts";
import { Relay } from "../src/mail/relay/relay.ts";
import { Sender } from "../src/mail/sender.ts";
import type { MailNews, MailReply, MailTask, MailThreadSettings } from "../src/mail/sender-thread.ts";
import { mailingSender } from "../src/mailings/send.ts";
import { writeOut } from "../src/mailings/write.ts";

lowerPriority();

const {
  dataDir,
  erasedDir,
  logLevel,
  publicUrl,
  cell,
  mail,
  sender: name,
  maxOpenStores,
  loading,
} = Piscina.workerData as MailThreadSettings;
const post = (news: MailNews) => parentPort!.postMessage(news);
const log = createLogTo({ write: (line) => post({ line }), flush: () => post({ line: null }) }, { logLevel });
// The first store that is opened loads the code of SQLite.
const control = loadWhileOpen(loading, () => openControl(dataDir, EVENT_LOOP));
const held: number[] = [];
const workspaces = new Workspaces(dataDir, {
  ...EVENT_LOOP,
  ...watchedStores(control, erasedDir, log),
  maxOpenStores,
  // The process has it migrated: it looks at each store before it has mail of it sent.
  onStale: () => {},
  onGrown: (grown) => post({ grown }),
  onHeld: (ms) => held.push(ms),
});
const relay = new Relay(mail);
const published = new Parsed();
const { perMinute, inbound, from, replyTo, dkim } = mail;
const sender = new Sender({
  ...{ control, workspaces, log, relay, perMinute, inbound, publicUrl, cell },
  attempts: { note: (attempted, count = 1) => post({ attempted, count }) },
  findings: { report: (finding) => post({ finding }), clear: (cleared) => post({ cleared }) },
  presence: { name, isAlive: (one) => isProcessAlive(dataDir, one) },
  mailings: mailingSender({ control, publicUrl, cell, published }),
  write: (workspaceUid, messages) =>
    writeOut({ control, workspaces, published }, { workspaceUid, composing: { from, replyTo, dkim }, messages }),
});

// Not a default export: see thread.ts.
export async function perform(task: MailTask): Promise<MailReply> {
  try {
    const answer = await answerOf(task);
    return { answer, pausedUntil: sender.pausedUntil, held: held.splice(0) };
  } catch (error) {
    throw isTransient(error) ? new Error(String(error), { cause: TRANSIENT }) : error;
  }
}

async function answerOf(task: MailTask): Promise<number | boolean> {
  if ("send" in task) return sender.turn(task.send);
  if ("giveUpLost" in task) return sender.giveUpLost(task.giveUpLost);
  await sender.close();
  await relay.close();
  workspaces.close();
  control.close();
  return true;
}
