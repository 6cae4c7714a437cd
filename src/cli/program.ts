// All commands of the command line, and what a shell has to know to complete them.

import { Argument, type Command, InvalidArgumentError } from "commander";
import { configOrExit } from "../base/config.ts";
import { RELEASE } from "../base/release.ts";
import { isBucket } from "../base/settings/bucket.ts";
import { faultOfNote } from "../events/record.ts";
import { addAttributes } from "./attributes.ts";
import { addBackups } from "./backup.ts";
import { addCells } from "./cells.ts";
import { addDoctor } from "./doctor.ts";
import { addImport } from "./import.ts";
import { addJobs } from "./jobs.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { becomeOwner, giveToOwnerOf } from "./owner.ts";
import { addParticipants } from "./participants.ts";
import { PatientCommand } from "./running/all-errors.ts";
import { addTokens } from "./tokens.ts";
import { addUsers } from "./users.ts";
import { addWebhooks } from "./webhooks.ts";
import { addWorkspaces } from "./workspaces.ts";

const SHELLS = ["bash", "zsh"];

/** What the completed command is called. An alias or a script with this name runs `npm run -s cli -- "$@"`. */
const NAME = "screening";

/** The program, which nobody runs yet. @param prepare what comes before each command */
export function makeProgram(prepare: (action: Command) => void = takeFiles): Command {
  // Commands that are added below inherit these settings.
  const program = new PatientCommand("cli")
    .description("Workspaces and credentials of the screening service")
    .version(RELEASE.version, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", (_, action) => prepare(action))
    .option("--note <text>", "why: kept with the events of what the command changes", readNote);
  addWorkspaces(program);
  addKeys(program);
  addTokens(program);
  addUsers(program);
  addAttributes(program);
  addWebhooks(program);
  addMigrate(program);
  addImport(program);
  addParticipants(program);
  addJobs(program);
  addCells(program);
  addBackups(program);
  addDoctor(program);
  addCompletion(program);
  return program;
}

/** A command runs as the user to whom the files belong that it works on. */
function takeFiles(action: Command): void {
  // It touches no files.
  if (action.name() === "completion") return;
  const folder = folderOf(action);
  if (action.name() === "restore" && action.args[0]) giveToOwnerOf(action.args[0], folder);
  becomeOwner(folder);
}

/** What a command works on: DATA_DIR, or what is verified. */
function folderOf(action: Command): string {
  const [dir = ""] = action.args;
  return (action.name() === "verify" && !isBucket(dir) && dir) || configOrExit().dataDir;
}

function readNote(text: string): string {
  const note = text.trim();
  const fault = faultOfNote(note);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return note;
}

function addCompletion(program: Command): void {
  program
    .command("completion")
    .description(`Print a script that completes commands and options of a command ${NAME}, to be read by a shell`)
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .action((shell: string) => {
      process.stdout.write(shell === "zsh" ? zshScript(program) : bashScript(program));
    });
}

/** What can follow a line of commands, by that line: `` has the first words. */
function followers(command: Command, line = ""): [line: string, words: string[]][] {
  const inner = command.commands.filter((one) => one.name() !== "help");
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [
    ...inner.map((one) => one.name()),
    ...choices,
    ...options,
    ...(command.parent ? ["--note"] : []),
    "--help",
  ];
  return [[line, words], ...inner.flatMap((one) => followers(one, `${line} ${one.name()}`.trim()))];
}

/** Words before the cursor that are commands choose what follows; options and their values are passed over. */
function bashScript(program: Command): string {
  const all = followers(program);
  const cases = all.map(([line, words]) => `    ${JSON.stringify(line)}) words=${JSON.stringify(words.join(" "))} ;;`);
  const lines = all.map(([line]) => JSON.stringify(`|${line}`)).join("");
  return `# Completes \`${NAME}\` in bash. Read it with: source <(npm run -s cli -- completion bash)
_${NAME}() {
  local line="" words="" word i lines=${lines}"|"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ "$lines" == *"|\${line:+$line }$word|"* ]]; then line="\${line:+$line }$word"; fi
  done
  case "$line" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
# Where nothing is known, it may be a file.
complete -o default -F _${NAME} ${NAME}
`;
}

/** zsh has no completion before compinit, which not everybody's .zshrc runs. */
function zshScript(program: Command): string {
  return `# Completes \`${NAME}\` in zsh. Read it with: source <(npm run -s cli -- completion zsh)
(( $+functions[compdef] )) || { autoload -U compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(program).split("\n").slice(1).join("\n")}`;
}
