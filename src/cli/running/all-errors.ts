// A command that says everything that is wrong with its options and arguments at once. Commander stops at the first.

import { type Argument, Command, InvalidArgumentError, type Option, type ParseOptionsResult } from "commander";
import { nearest } from "../../base/schemas.ts";

export class PatientCommand extends Command {
  readonly #faults: string[] = [];
  readonly #lacksValue = new Set<Option>();
  /** The first option that the command does not know, and all after it that no option takes. */
  #unknown: string[] = [];

  override createCommand(name?: string): PatientCommand {
    return new PatientCommand(name);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const result = super.parseOptions(argv);
    this.#unknown = result.unknown;
    return result;
  }

  /** Commander's own step, where an option is the last word: its name and its parameter are Commander's. */
  optionMissingArgument(option: Option): void {
    this.#lacksValue.add(option);
    this.#faults.push(`error: option '${option.flags}' argument missing`);
  }

  /** Commander's own step, for each value. */
  _callParseArg(target: Option | Argument, value: string | undefined, previous: unknown, invalid: string): unknown {
    if (value === undefined) return undefined;
    try {
      return target.parseArg?.(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      this.#faults.push(`${invalid} ${error.message}`);
      return undefined;
    }
  }

  /** Commander's own step, when the options have been read. */
  _checkForMissingMandatoryOptions(): void {
    const lacking = this.options.filter(
      (option) =>
        option.mandatory && this.getOptionValue(option.attributeName()) === undefined && !this.#lacksValue.has(option),
    );
    // After a group of commands, what is wrong is that a word is none of them.
    const isGroup = this.commands.length > 0;
    const missing = isGroup ? [] : this.#readArguments();
    const faults = [
      ...this.#faultsOfAll(),
      ...(isGroup ? [] : this.#unknownOptions()),
      ...lacking.map(({ flags }) => `error: required option '${flags}' not specified`),
      ...missing,
    ];
    if (faults.length) this.error(faults.join("\n"));
  }

  /** Also of options that all commands take. */
  #faultsOfAll(): string[] {
    return [...(this.parent instanceof PatientCommand ? this.parent.#faultsOfAll() : []), ...this.#faults];
  }

  #unknownOptions(): string[] {
    const known = [this, this.parent, this.parent?.parent].flatMap((one) =>
      (one?.options ?? []).flatMap(({ long }) => long ?? []),
    );
    return this.#unknown.slice(0, this.#endOfOptions()).flatMap((word) => {
      if (!isOption(word)) return [];
      const near = nearest(word.replace(/=.*/s, ""), known);
      return [`error: unknown option '${word}'${near === undefined ? "" : `; did you mean ${near}?`}`];
    });
  }

  /** @returns what is wrong with their number. A word after an unknown option may be its value, or an argument: either is right */
  #readArguments(): string[] {
    const sure = this.args.slice(0, this.args.length - this.#unknown.length);
    const end = this.#endOfOptions();
    const maybe = [...this.#unknown.slice(0, end).filter((word) => !isOption(word)), ...this.#unknown.slice(end + 1)];
    for (const [index, argument] of this.registeredArguments.entries()) {
      const invalid = `error: command-argument value '${sure[index]}' is invalid for argument '${argument.name()}'.`;
      this._callParseArg(argument, sure[index], undefined, invalid);
    }
    const { length } = this.registeredArguments;
    if (sure.length > length) return [`error: too many arguments: ${sure.slice(length).join(", ")}`];
    return this.registeredArguments
      .slice(sure.length + maybe.length)
      .flatMap((argument) => (argument.required ? `error: missing required argument '${argument.name()}'` : []));
  }

  #endOfOptions(): number {
    const end = this.#unknown.indexOf("--");
    return end < 0 ? this.#unknown.length : end;
  }
}

const isOption = (word: string) => word.length > 1 && word.startsWith("-") && Number.isNaN(Number(word));
