// The commands `participant remove` and `participant erase`: many people whom a file names.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Reader } from "../../db/sqlite/connection.ts";
import { configOrExit } from "../base/config.ts";
import { newId } from "../base/ids.ts";
import { cannotOpen } from "../main/process.ts";
import { removalJob } from "../removal-jobs/job.ts";
import { MAX_OF, namesIn } from "../removal-jobs/named.ts";
import { erasureOfManyJob } from "../screening/erasure-of-many.ts";
import { asked, isTerminal } from "./running/command.ts";
import { countsOf, type Ending, linesOf, PlannedRun, type RunOptions, warningsOf } from "./running/planned-run.ts";

interface Options extends RunOptions {
  /** Of a removal alone. */
  screener?: string;
  dryRun?: boolean;
  skipUnknown?: boolean;
  yes?: boolean;
}

type Act = keyof typeof MAX_OF;

const MAX_NAMED = 10;

export function addParticipants(program: Command): void {
  const participant = program.command("participant").description("Participants of a workspace");
  add(participant, "remove", "Remove the participants whom a file names from a screener. It can be undone", (c) =>
    c.requiredOption("--screener <id>", "the screener's id"),
  );
  add(participant, "erase", "Erase the participants whom a file names. Nothing brings them back", (c) => c);
}

function add(participant: Command, act: Act, description: string, options: (command: Command) => Command): void {
  options(
    participant
      .command(`${act} <file>`)
      .description(`${description}. A line is an externalUid or an email; of a table the first cell counts`)
      .requiredOption("--workspace <id>", "the workspace's id"),
  )
    .option("--dry-run", "only show whom it concerns")
    .option("--skip-unknown", "leave out those who are not there")
    .option("--yes", "do not ask before it is done")
    .option("--json", "print only one JSON value")
    .action(async (file: string, _, command: Command) => {
      process.exitCode = await perform(act, file, command.optsWithGlobals<Options>());
    });
}

/** @returns the exit code */
async function perform(act: Act, file: string, options: Options): Promise<number> {
  const names = namesIn(readFileSync(file, "utf8"));
  if (!names.length) throw new Error(`${file} names nobody.`);
  if (names.length > MAX_OF[act]) throw new Error(`${file} names ${names.length}. At most ${MAX_OF[act]} are taken.`);
  // Other commands start in half the time without the code of this one.
  const { openContext } = await import("../main/context.ts");
  const config = { ...configOrExit(), redisUrl: undefined, logLevel: "silent" as const };
  const context = await openContext(config, 1).catch(cannotOpen);
  try {
    const { job, code, lines } = await new Run(context, options).run(act, names);
    lines.push(...warningsOf(job));
    if (options.json) process.stdout.write(`${JSON.stringify({ job })}\n`);
    (options.json ? process.stderr : process.stdout).write(lines.map((line) => `${line}\n`).join(""));
    return code;
  } finally {
    await context.close(0);
  }
}

class Run extends PlannedRun<Options> {
  async run(act: Act, names: readonly string[]): Promise<Ending> {
    const { dryRun, yes, screener } = this.options;
    const ids = this.#ids(names, screener?.toLowerCase());
    const uid = newId();
    await this.accept(uid, jobOf(ids, screener?.toLowerCase()));
    const plan = await this.ended(uid);
    if (plan.status !== "PLANNED") return { job: plan, code: 1, lines: linesOf(plan) };
    const does = act === "erase" ? "erases" : "removes";
    const { removed = 0, erased = removed } = plan.summary ?? {};
    const who = `${erased} ${erased === 1 ? "participant" : "participants"}`;
    const lines = [dryRun ? "Nothing was changed. It would do this:" : "The plan:", ...countsOf(plan)];
    if (dryRun) return { job: plan, code: 0, lines };
    if (!yes) {
      const again = [...lines, `It ${does} ${who}. Run the command again with --yes to do it.`];
      if (!isTerminal()) return this.refuse(uid, again);
      const isAgreed = await asked(`${act === "erase" ? "Erase" : "Remove"} ${who}?`, lines);
      if (!isAgreed) return this.refuse(uid, []);
    }
    const job = await this.apply(uid);
    if (job.status !== "SUCCEEDED") return { job, code: 1, lines: linesOf(job) };
    return { job, code: 0, lines: ["Done:", ...countsOf(job)] };
  }

  /** What the job takes: participants; or of a screener those who are in it. @throws Error that says who is not there */
  #ids(names: readonly string[], screener: string | undefined): string[] {
    const { context, principal, options } = this;
    const rows = context.workspaces.read(principal.workspaceUid, (db) => found(db, names, screener));
    const missing = rows.flatMap(({ name, id }) => (id === null ? [name] : []));
    const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))];
    if (missing.length && !options.skipUnknown) {
      const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
      const where = screener === undefined ? "in the workspace" : "in the screener";
      const who = missing.slice(0, MAX_NAMED).join(", ");
      throw new Error(`Not ${where}: ${who}${more}. Nothing was changed. --skip-unknown leaves them out.`);
    }
    if (!ids.length) throw new Error("Nobody is left.");
    return ids;
  }
}

/** By externalUid; else by email. */
function found(db: Reader, names: readonly string[], screener: string | undefined) {
  const id =
    screener === undefined
      ? "p.uid"
      : `(SELECT a.uid FROM screener_participant AS a WHERE a.participant_id = p.id
           AND a.screener_id = (SELECT s.id FROM screener AS s WHERE s.uid = ?))`;
  return db.all<{ name: string; id: string | null }>(
    `SELECT j.value AS name, ${id} AS id FROM json_each(?) AS j LEFT JOIN participant AS p ON p.uid <> '' AND p.id = coalesce(
       (SELECT x.id FROM participant AS x WHERE x.external_uid = j.value),
       (SELECT x.id FROM participant AS x WHERE x.email = j.value)) ORDER BY j.key`,
    ...(screener === undefined ? [] : [screener]),
    JSON.stringify(names),
  );
}

function jobOf(ids: string[], screenerId: string | undefined) {
  if (screenerId === undefined) {
    const payload = erasureOfManyJob.check({ participantIds: ids, dryRun: true });
    return { kind: erasureOfManyJob.kind, payload, screenerId: undefined };
  }
  const payload = removalJob.check({ screenerId, screenerParticipantIds: ids, dryRun: true });
  return { kind: removalJob.kind, payload, screenerId };
}
