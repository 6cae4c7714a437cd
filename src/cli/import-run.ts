// Plans an import, shows the plan, and applies it.

import { createReadStream } from "node:fs";
import { newId } from "../base/ids.ts";
import { MAX_SHORT_BYTES, receiveBody, spoolPath } from "../engine/files/bodies.ts";
import { dropUnaccepted } from "../engine/ledger/accept.ts";
import { exceededLimit } from "../imports/absent.ts";
import { STOPPING } from "../imports/check.ts";
import { importJob } from "../imports/job.ts";
import { type Options, type Source, settingsOf } from "./import-source.ts";
import { asked, isTerminal } from "./running/command.ts";
import { countsOf, type Ending, type Job, linesOf, PlannedRun, warningsOf } from "./running/planned-run.ts";

/** One run of the command, on the open stores. */
export class Run extends PlannedRun<Options> {
  async import(source: Source): Promise<Ending> {
    const { dryRun, fullSync, yes } = this.options;
    const uid = await this.#accept(source);
    const plan = await this.ended(uid);
    if (plan.status !== "PLANNED") return { job: plan, code: 1, lines: linesOf(plan) };
    const lines = [dryRun ? "Nothing was changed. The import would do this:" : "The plan:", ...countsOf(plan)];
    const removed = plan.summary?.removed ?? 0;
    const exceeded = fullSync && exceededLimit(this.#removals(removed), this.options.maxRemovals);
    const who = `${removed} ${removed === 1 ? "participant" : "participants"} from the screener`;
    const again = "Run the command again with";
    if (exceeded) lines.push(`${exceeded.message.split(". ")[0]}. ${again} --max-removals to allow it.`);
    if (dryRun) return { job: plan, code: 0, lines };
    if (exceeded) return this.refuse(uid, lines);
    const doubts = this.#doubtsOf(plan);
    if (doubts.length && !(await asked("Import it all the same?", [...lines, ...warningsOf(plan)])))
      return this.refuse(uid, [...lines, `${again} --allow ${doubts.join(",")} to import it all the same.`]);
    if (removed && !yes) {
      if (!isTerminal()) return this.refuse(uid, [...lines, `It removes ${who}. ${again} --yes to apply it.`]);
      if (!(await asked(`Remove ${who}?`, lines))) return this.refuse(uid, []);
    }
    const job = await this.apply(uid);
    if (job.status !== "SUCCEEDED") return { job, code: 1, lines: linesOf(job) };
    const { rows, rejected = 0 } = job.summary!;
    const isNothing = rejected > 0 && rejected === rows;
    const said = isNothing ? "Nothing was imported: all rows were rejected." : "Imported:";
    return { job, code: isNothing ? 1 : 0, lines: [said, ...countsOf(job)] };
  }

  /** The codes of the plan's warnings that somebody has to decide on. */
  #doubtsOf({ warnings }: Job): string[] {
    const codes = STOPPING.filter((code) => warnings?.some((one) => one.code === code));
    return codes.filter((code) => !this.options.allow.includes(code));
  }

  /** Hands the file to the ledger, as a job that plans the import. @returns the job's id */
  async #accept(source: Source): Promise<string> {
    const { config, control } = this.context;
    const uid = newId();
    const spooled = spoolPath(config.dataDir, uid);
    const file = settingsOf(this.options, source);
    const { bytes, short } = await receiveBody(createReadStream(source.path), spooled, MAX_SHORT_BYTES);
    try {
      const payload = importJob.check(file);
      await this.accept(uid, { kind: importJob.kind, payload, screenerId: file.screenerId }, { bytes, short });
    } catch (error) {
      dropUnaccepted(config.dataDir, control, uid, error);
      throw error;
    }
    return uid;
  }

  /** How many assignments a plan removes, of how many. */
  #removals(removed: number) {
    const assignments = this.context.workspaces.read(
      this.principal.workspaceUid,
      (db) =>
        db.value<number>(
          "SELECT sum(n) FROM screener_participant_block WHERE screener_id = (SELECT id FROM screener WHERE uid = lower(?))",
          this.options.screener,
        ) ?? 0,
    );
    return { summary: { removed }, assignments };
  }
}
