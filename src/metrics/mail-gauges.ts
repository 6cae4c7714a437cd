// Figures of mail: of what came back, in a process that takes it; of the rest, in one that sends.

import { Counter, Gauge, type Registry } from "prom-client";
import type { Mail } from "../mail/open.ts";

interface Measured {
  mail: Mail | undefined;
}

export function bounceGauge(registry: Registry, { mail }: Measured): () => void {
  if (!mail) return () => {};
  const bounces = new Counter({
    name: "screening_mail_bounces_total",
    help: "Messages that came back. hard: nobody has the address. soft: another reason. complaint: its recipient calls it spam.",
    labelNames: ["kind"],
    registers: [registry],
  });
  return () => {
    bounces.reset();
    bounces.inc({ kind: "hard" }, mail.bounced.counts.BOUNCED_HARD);
    bounces.inc({ kind: "soft" }, mail.bounced.counts.BOUNCED_SOFT);
    bounces.inc({ kind: "complaint" }, mail.bounced.counts.COMPLAINED);
  };
}

export function mailGauges(registry: Registry, { mail }: Measured): () => void {
  if (!mail?.mailer.sends) return () => {};
  const { mailer } = mail;
  const registers = [registry];
  const attempts = new Counter({
    name: "screening_mail_attempts_total",
    help: "Messages that were given to the relay, by what has become of them. UNCERTAIN: the connection, or the process, ended before the relay's reply.",
    labelNames: ["state"],
    registers,
  });
  const waiting = new Gauge({
    name: "screening_mail_waiting",
    help: "Messages that wait, for the first time or to be tried again. Of the installation, without suspended workspaces.",
    registers,
  });
  const overdue = new Gauge({
    name: "screening_mail_overdue_seconds",
    help: "How long the message that should leave first has been due. 0: none is due. Of the installation, without suspended workspaces.",
    registers,
  });
  const counted: Partial<Record<string, number>> = {};
  return () => {
    for (const [state, count] of Object.entries(mailer.attempts.counts)) {
      attempts.inc({ state }, count - (counted[state] ?? 0));
      counted[state] = count;
    }
    const backlog = mailer.backlog();
    waiting.set(backlog.waiting);
    overdue.set(Math.max(0, Date.now() - backlog.dueAt) / 1000);
  };
}
