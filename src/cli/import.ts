// The command `import`: its options, and what it prints.

import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { DATE_ORDERS, DECIMALS } from "../attribute-types/values.ts";
import { configOrExit } from "../base/config.ts";
import { unknownMember } from "../base/schemas.ts";
import { findJob } from "../engine/ledger/queries.ts";
import { STOPPING } from "../imports/check.ts";
import { cannotOpen } from "../main/process.ts";
import { IMPORTED, MATCH_KEYS } from "../nouns/screener-participants/import-settings.ts";
import { Run } from "./import-run.ts";
import { ENCODINGS, formatOf, type Options, withSource } from "./import-source.ts";
import { readLimit } from "./limit.ts";
import { writeRejected } from "./rejected.ts";
import { warningsOf } from "./running/planned-run.ts";

export function addImport(program: Command): void {
  program
    .command("import <file>")
    .description("Import participants from a file: .xlsx, .csv, .tsv, .txt, .ndjson or .jsonl")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--screener <id>", "the screener's id")
    .option("--full-sync", "remove the screener's participants that are not in the file")
    .option("--dry-run", "only show what would change")
    .option(
      "--map <heading=member>",
      "what a column is: --map 'Person ID=externalUid'; may be repeated",
      readMapping,
      {},
    )
    .addOption(
      new Option(
        "--match-by <member>",
        "by what rows find their participants: with email the file has no externalUid",
      ).choices(MATCH_KEYS),
    )
    .addOption(
      new Option(
        "--decimals <sign>",
        "how a table writes decimals, for attributes that are numbers: 72.5 (POINT, the default) or 72,5",
      ).choices(DECIMALS),
    )
    .addOption(
      new Option(
        "--dates <order>",
        "how a table writes days, for attributes that are dates: 1990-02-28 (YMD, the default), 28.02.1990 or 02/28/1990",
      ).choices(DATE_ORDERS),
    )
    .option("--sheet <name>", "the sheet of a workbook, if it is not the first one that is shown")
    .addOption(
      new Option("--encoding <name>", "of a table that is not in UTF-8: Windows-1252 is Latin-1, too").choices(
        ENCODINGS,
      ),
    )
    .option("--max-removals <limit>", "a number, or a percentage", (text) => readLimit(text), "20%")
    .option(
      "--expected-rows <n>",
      "how many rows the file has; if it has another number, nothing is imported",
      readCount,
    )
    .option("--include-joined", "with --full-sync: remove those, too, who have joined by an open link")
    .option("--allow <codes>", `import although there are these warnings: ${STOPPING.join(", ")}`, readCodes, [])
    .option("--skip-errors", "import the other rows when some are wrong")
    .option("--yes", "do not ask before participants are removed")
    .option("--json", "print only one JSON value")
    .action(async (file: string, _, command: Command) => {
      process.exitCode = await importFile(file, command.optsWithGlobals<Options>());
    });
}

/** @returns the exit code */
async function importFile(file: string, options: Options): Promise<number> {
  formatOf(file, options);
  const config = configOrExit();
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`${file} is ${found ? "not a file" : "not there"}.`);
  const { size } = found;
  if (size > config.importMaxBytes)
    throw new Error(`${file} has ${size} bytes. At most ${config.importMaxBytes} are allowed (IMPORT_MAX_BYTES).`);
  // Other commands start in half the time without the code of this one.
  const { openContext } = await import("../main/context.ts");
  const context = await openContext({ ...config, redisUrl: undefined, logLevel: "silent" }, 1).catch(cannotOpen);
  try {
    const run = new Run(context, options);
    const { job, code, lines, rejected } = await withSource(file, options, async (source) => {
      const ending = await run.import(source);
      const found = findJob(context.control.reader, ending.job.id)!;
      return { ...ending, rejected: writeRejected(context, found, { ...source, file, columns: options.map }) };
    });
    if (rejected) lines.push(`The rejected rows are in ${rejected}.`);
    lines.push(...warningsOf(job));
    const said = lines.map((line) => `${withOptions(line)}\n`).join("");
    if (options.json) process.stdout.write(`${JSON.stringify({ job, rejectedFile: rejected ?? null })}\n`);
    (options.json ? process.stderr : process.stdout).write(said);
    return code;
  } finally {
    await context.close(0);
  }
}

/** What a sentence for callers of the API tells them to send, as options of the command. */
function withOptions(line: string): string {
  return line
    .replaceAll(/(?:send )?columns\[([^\]]*)\]=(\w+(?:\.\w+)?)/g, "--map '$1=$2'")
    .replaceAll(/\bmatchBy=(\w+)/g, "--match-by $1");
}

function readCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 0 on.");
  return Number(text);
}

function readCodes(text: string, earlier: string[]): string[] {
  const codes = text.split(",").map((code) => code.trim());
  const wrong = codes.find((code) => !STOPPING.some((one) => one === code));
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} ${unknownMember(wrong, STOPPING)}`);
  return [...earlier, ...codes];
}

function readMapping(text: string, earlier: Options["map"]): Options["map"] {
  const [, heading = "", member = ""] = /^(.+)=(.*)$/s.exec(text) ?? [];
  const known = IMPORTED.find((one) => one === member.trim());
  if (!heading.trim()) throw new InvalidArgumentError("It must be a heading and a member: 'Person ID=externalUid'.");
  if (!known) throw new InvalidArgumentError(`${member} ${unknownMember(member, IMPORTED)}`);
  return { ...earlier, [heading.trim()]: known };
}
