// The operator's command line. It works while the service runs. `--json` prints exactly one JSON value on stdout.

import "./node-version.ts";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { type Control, openControl } from "../db/control.ts";
import { COMMAND_LINE } from "../db/profiles.ts";
import { Workspaces } from "../db/workspaces.ts";
import { immediate } from "../db/write.ts";
import { attributeKeys, isAttributeKey } from "./attributes.ts";
import { addImport } from "./cli/import.ts";
import { limitOf, readLimitOrNone } from "./cli/limit.ts";
import { configOrExit } from "./config.ts";
import { migrateAll } from "./jobs/housekeeping.ts";
import { createAttributeIndex, dropAttributeIndex, listIndexedAttributes } from "./participants/queries.ts";
import { openOrExit } from "./process.ts";
import { createWorkspace } from "./workspaces/create.ts";
import { issueKey, issueToken, rotateKey } from "./workspaces/credentials.ts";
import {
  type AccessTokenRow,
  type ApiKeyRow,
  findApiKeyByUid,
  findTokenByUid,
  findWorkspace,
  listApiKeys,
  listTokens,
  listWorkspaces,
  revokeApiKey,
  revokeToken,
  setMaxRemovals,
  type WorkspaceRow,
} from "./workspaces/queries.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Store {
  control: Control;
  workspaces: Workspaces;
}

/** The output of a command: the value for --json, and the lines for people. */
interface Output {
  json: unknown;
  lines: string[];
}

/** The arguments are well formed, but name something that does not exist. */
class NotFound extends Error {}

// Commands that are added below inherit these settings.
const program = new Command("cli")
  .description("Workspaces and credentials of the screening service")
  .exitOverride()
  .showHelpAfterError();

const workspace = program.command("workspace").description("Workspaces");
command(
  workspace,
  "create",
  "Create a workspace with its first key",
  ({ control, workspaces }, [name]) => {
    const created = createWorkspace(control, workspaces, requiredText(name));
    return {
      json: created,
      lines: [
        `workspace  ${created.workspace.id}  ${created.workspace.name}`,
        `key        ${created.apiKey}`,
        `secret     ${created.apiSecret}`,
        "The secret is shown only once.",
      ],
    };
  },
  (c) => c.argument("<name>", "name of the workspace", requiredText),
);
command(workspace, "list", "List workspaces", ({ control }) => {
  const all = listWorkspaces(control.reader);
  return {
    json: all.map(workspaceJson),
    lines: all.map((row) => `${row.uid}  ${row.name}  ${removals(row)}`),
  };
});
ofWorkspace(
  workspace,
  "set",
  "Set how many of a screener's participants an import may remove, unless the import says it itself",
  (c) => c.requiredOption("--max-removals <limit>", "a number, a percentage, or none", readLimitOrNone),
  ({ control }, row, _, { maxRemovals }) => {
    immediate(control.writer, () => setMaxRemovals(control.writer, row.id, maxRemovals!));
    const changed = findWorkspace(control.reader, row.uid)!;
    return { json: workspaceJson(changed), lines: [`${row.uid}  ${row.name}  ${removals(changed)}`] };
  },
);

const key = program.command("key").description("API keys");
ofWorkspace(
  key,
  "create",
  "Issue a key",
  (c) =>
    c
      .requiredOption("--name <name>", "purpose of the key", requiredText)
      .option("--expires-in-days <days>", "when its secret expires", days),
  ({ control }, row, _, options) => {
    const issued = immediate(control.writer, () =>
      issueKey(control.writer, row.id, { name: options.name!, expiresAt: expiry(options.expiresInDays) }),
    );
    return {
      json: issued,
      lines: [
        `id      ${issued.id}`,
        `key     ${issued.apiKey}`,
        `secret  ${issued.apiSecret}`,
        "The secret is shown only once.",
      ],
    };
  },
);
ofWorkspace(
  key,
  "list",
  "List keys",
  (c) => c,
  ({ control }, row) => {
    const keys = listApiKeys(control.reader, row.id);
    return {
      json: keys.map(keyJson),
      lines: keys.map(
        (row) => `${row.uid}  ${row.api_key}  ${row.name}  ${row.revoked_at ? "revoked" : "live"}  ${lastUse(row)}`,
      ),
    };
  },
);
ofWorkspace(
  key,
  "rotate <id>",
  "Issue a new secret for a key, with the same lifetime. The old secret stays valid for a day",
  (c) => c.option("--overlap-hours <hours>", "how long the old secret stays valid", hours),
  ({ control }, row, [id], options) => {
    const found = findApiKeyByUid(control.reader, row.id, id!);
    if (!found || found.revoked_at) throw new NotFound(`The workspace has no live key ${id}.`);
    const overlap = options.overlapHours === undefined ? DAY_MS : Number(options.overlapHours) * HOUR_MS;
    const apiSecret = immediate(control.writer, () => rotateKey(control.writer, found.id, overlap));
    return {
      json: { id: found.uid, apiKey: found.api_key, apiSecret },
      lines: [`key     ${found.api_key}`, `secret  ${apiSecret}`, "The secret is shown only once."],
    };
  },
);
ofWorkspace(
  key,
  "revoke <id>",
  "Revoke a key at once",
  (c) => c,
  ({ control }, row, [id]) => {
    const found = findApiKeyByUid(control.reader, row.id, id!);
    if (!found) throw new NotFound(`The workspace has no key ${id}.`);
    immediate(control.writer, () => revokeApiKey(control.writer, found.id, Date.now()));
    return { json: keyJson(findApiKeyByUid(control.reader, row.id, id!)!), lines: [`revoked ${found.api_key}`] };
  },
);

const token = program.command("token").description("Access tokens of a workspace's users");
ofWorkspace(
  token,
  "create",
  "Issue a token for a user. If no user has this name, create one",
  (c) =>
    c
      .requiredOption("--user-name <name>", "name of the user", requiredText)
      .option("--expires-in-days <days>", "when it expires", days),
  ({ control }, row, _, options) => {
    const { id, accessToken, user } = immediate(control.writer, () =>
      issueToken(control.writer, row.id, { userName: options.userName!, expiresAt: expiry(options.expiresInDays) }),
    );
    return {
      json: { id, accessToken, user },
      lines: [
        `id     ${id}`,
        `user   ${user.id}  ${user.name}`,
        `token  ${accessToken}`,
        "The token is shown only once.",
      ],
    };
  },
);
ofWorkspace(
  token,
  "list",
  "List tokens",
  (c) => c,
  ({ control }, row) => {
    const tokens = listTokens(control.reader, row.id);
    return {
      json: tokens.map(tokenJson),
      lines: tokens.map(
        (row) => `${row.uid}  ${row.user_name}  ${row.revoked_at ? "revoked" : "live"}  ${lastUse(row)}`,
      ),
    };
  },
);
ofWorkspace(
  token,
  "revoke <id>",
  "Revoke a token at once",
  (c) => c,
  ({ control }, row, [id]) => {
    const found = findTokenByUid(control.reader, row.id, id!);
    if (!found) throw new NotFound(`The workspace has no token ${id}.`);
    immediate(control.writer, () => revokeToken(control.writer, found.id, Date.now()));
    return { json: tokenJson(findTokenByUid(control.reader, row.id, id!)!), lines: [`revoked ${found.uid}`] };
  },
);

const attribute = program.command("attribute").description("Indexes on attributes of participants, for filters");
const withKey = (c: Command) => c.argument("<key>", "key of the attribute", attributeKey);
ofWorkspace(
  attribute,
  "index",
  "Make filters by an attribute fast. Writes to the workspace wait meanwhile: 1 to 3 seconds for a million participants",
  withKey,
  ({ workspaces }, { uid }, [text]) => {
    const key = attributeKey(text);
    const participants = workspaces.write(uid, (db) => createAttributeIndex(db, key));
    return { json: { key, participants }, lines: [`indexed ${key}, which ${participants} participants have`] };
  },
);
ofWorkspace(
  attribute,
  "list",
  "List the keys of attributes, and which of them are indexed",
  (c) => c,
  ({ workspaces }, { uid }) => {
    const { keys, indexed } = workspaces.read(uid, (db) => ({
      keys: attributeKeys(db),
      indexed: listIndexedAttributes(db),
    }));
    const all = [...new Set([...keys, ...indexed])].map((key) => ({ key, isIndexed: indexed.includes(key) }));
    return { json: all, lines: all.map(({ key, isIndexed }) => `${key}${isIndexed ? "  indexed" : ""}`) };
  },
);
ofWorkspace(attribute, "unindex", "Remove the index on an attribute", withKey, ({ workspaces }, { uid }, [text]) => {
  const key = attributeKey(text);
  if (!workspaces.write(uid, (db) => dropAttributeIndex(db, key)))
    throw new NotFound(`The workspace has no index on ${key}.`);
  return { json: { key }, lines: [`removed the index on ${key}`] };
});

command(program, "migrate", "Bring all stores up to date", (store) => {
  const count = migrateAll(store);
  return { json: { workspaces: count }, lines: [`The control store and ${count} workspaces are up to date.`] };
});

addImport(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed the error and the usage.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

type Options = Record<string, string | undefined>;

/** Adds a command that runs on the open stores and prints its output. */
function command(
  parent: Command,
  syntax: string,
  summary: string,
  perform: (store: Store, args: string[], options: Options) => Output,
  extend: (command: Command) => Command = (c) => c,
): void {
  const added = parent.command(syntax).description(summary).option("--json", "print only one JSON value");
  extend(added).action(() => {
    const options = added.opts<Options & { json?: true }>();
    const { dataDir } = configOrExit();
    const control = openOrExit(() => openControl(dataDir, COMMAND_LINE));
    const workspaces = new Workspaces(dataDir, COMMAND_LINE);
    try {
      const output = perform({ control, workspaces }, added.args, options as Options);
      process.stdout.write(
        options.json ? `${JSON.stringify(output.json)}\n` : output.lines.map((line) => `${line}\n`).join(""),
      );
    } finally {
      workspaces.close();
      control.close();
    }
  });
}

/** Adds a command on one workspace, with the option --workspace. */
function ofWorkspace(
  parent: Command,
  syntax: string,
  summary: string,
  extend: (command: Command) => Command,
  perform: (store: Store, workspace: WorkspaceRow, args: string[], options: Options) => Output,
): void {
  command(
    parent,
    syntax,
    summary,
    (store, args, options) => {
      const found = findWorkspace(store.control.reader, options.workspace!);
      if (!found) throw new NotFound(`There is no workspace ${options.workspace}.`);
      return perform(store, found, args, options);
    },
    (c) => extend(c.requiredOption("--workspace <id>", "the workspace's id")),
  );
}

function workspaceJson(row: WorkspaceRow) {
  return { id: row.uid, name: row.name, createdAt: date(row.created_at), maxRemovals: limitOf(row) };
}

function removals(row: WorkspaceRow): string {
  return `max removals: ${limitOf(row) ?? "none"}`;
}

function keyJson({ uid, api_key, name, created_at, revoked_at, last_used_at }: ApiKeyRow) {
  return {
    id: uid,
    apiKey: api_key,
    name,
    createdAt: date(created_at),
    revokedAt: date(revoked_at),
    lastUsedAt: date(last_used_at),
  };
}

function tokenJson({ uid, user_uid, user_name, created_at, expires_at, revoked_at, last_used_at }: AccessTokenRow) {
  return {
    id: uid,
    user: { id: user_uid, name: user_name },
    createdAt: date(created_at),
    expiresAt: date(expires_at),
    revokedAt: date(revoked_at),
    lastUsedAt: date(last_used_at),
  };
}

function date(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function lastUse({ last_used_at }: { last_used_at: number | null }): string {
  return last_used_at === null ? "never used" : `used ${date(last_used_at)}`;
}

function expiry(inDays: string | undefined): number | null {
  return inDays === undefined ? null : Date.now() + Number(inDays) * DAY_MS;
}

function requiredText(text: string | undefined): string {
  const trimmed = text?.trim() ?? "";
  if (!trimmed) throw new InvalidArgumentError("It must not be empty.");
  return trimmed;
}

function attributeKey(text: string | undefined): string {
  const key = requiredText(text);
  if (!isAttributeKey(key)) throw new InvalidArgumentError("It must have at most 100 characters.");
  return key;
}

function days(text: string): string {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return text;
}

function hours(text: string): string {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return text;
}
