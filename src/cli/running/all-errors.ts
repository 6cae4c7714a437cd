// A command that says everything that is wrong with its options and arguments at once. Commander stops at the first.

import { Argument, Command, InvalidArgumentError, type Option } from "commander";

export class PatientCommand extends Command {
  readonly #faults: string[] = [];

  override createCommand(name?: string): PatientCommand {
    return new PatientCommand(name);
  }

  /** Commander's own step, for each value: its name and its parameters are Commander's. */
  _callParseArg(target: Option | Argument, value: string, previous: unknown, invalid: string): unknown {
    try {
      return target.parseArg?.(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      const fault = `${invalid} ${error.message}`;
      // Options come first, so this is the last thing that is looked at.
      if (target instanceof Argument) this.error(fault, { code: error.code });
      this.#faults.push(fault);
      return undefined;
    }
  }

  /** Commander's own step, when the options have been read. */
  _checkForMissingMandatoryOptions(): void {
    const options = this.options.filter(
      (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
    );
    const given = this.args.filter((one) => !one.startsWith("-")).length;
    const missing = this.registeredArguments.slice(given).filter(({ required }) => required);
    const faults = [
      ...this.#faultsOfAll(),
      ...options.map(({ flags }) => `error: required option '${flags}' not specified`),
      ...missing.map((argument) => `error: missing required argument '${argument.name()}'`),
    ];
    if (faults.length) this.error(faults.join("\n"));
  }

  /** Also of options that all commands take. */
  #faultsOfAll(): string[] {
    return [...(this.parent instanceof PatientCommand ? this.parent.#faultsOfAll() : []), ...this.#faults];
  }
}
