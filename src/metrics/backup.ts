// How old the last backup is.

import { Gauge, type Registry } from "prom-client";
import type { Context } from "../http/context.ts";
import { lastBackup } from "../workspaces/installation.ts";

export function backupGauge(registry: Registry, { control }: Pick<Context, "control">): () => void {
  const age = new Gauge({
    name: "screening_backup_age_seconds",
    help: "How long ago the last backup was complete that the command or the schedule has taken. NaN: none is known. Of the installation.",
    registers: [registry],
  });
  return () => {
    const last = lastBackup(control.reader);
    age.set(last ? Math.max(0, Date.now() - last.at) / 1000 : Number.NaN);
  };
}
