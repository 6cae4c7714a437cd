// What serves takes no arguments. Whoever gives some, such as `npm start -- --port 4000`, is told how to say it.

type Environment = Record<string, string | undefined>;

/** What the arguments should have been, a line for each; undefined where there are none. @param ours the names of all variables that are read */
export function faultOfArguments(
  args: readonly string[],
  env: Environment,
  ours: readonly string[],
): string | undefined {
  const taken = takenByNpm(env, ours);
  // `npm start --port 4000` has npm take the name for an option of its own, and pass the value on.
  const isOne = taken.length === 1 && !taken[0]!.includes("=");
  const given = isOne ? [...taken, ...args] : [...args, ...taken];
  const lines = optionsOf(given).map(([name, value]) => {
    const variable = name.replace(/^--?/, "").replaceAll("-", "_").toUpperCase();
    const said = value === undefined ? name : `${name} ${value}`;
    if (!name.startsWith("-") || !ours.includes(variable)) return `  ${said}: there is no such setting`;
    return `  ${said}: set ${variable}, as in \`${variable}=${value ?? "…"} npm start\``;
  });
  if (!lines.length) return undefined;
  return `The service takes no arguments. Variables of the environment set it up (docs/operations.md has all):\n${lines.join("\n")}`;
}

/** Each option with its value. */
function optionsOf(args: readonly string[]): [name: string, value: string | undefined][] {
  const found: [string, string | undefined][] = [];
  for (const argument of args) {
    const last = found.at(-1);
    const [name = "", ...value] = argument.split("=");
    if (argument.startsWith("-")) found.push([name, value.length ? value.join("=") : undefined]);
    else if (last?.[0].startsWith("-") && last[1] === undefined) last[1] = argument;
    else found.push([argument, undefined]);
  }
  return found;
}

/** What `npm start --port=4000`, without the `--` in between, leaves in the environment; without a value it is `true`. */
function takenByNpm(env: Environment, ours: readonly string[]): string[] {
  return ours.flatMap((variable) => {
    const name = variable.toLowerCase();
    const value = env[`npm_config_${name}`];
    const option = `--${name.replaceAll("_", "-")}`;
    return value === undefined ? [] : [value === "true" ? option : `${option}=${value}`];
  });
}
