// The configuration: the only reader of process.env. Reports all bad values together.

import cluster from "node:cluster";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { faultOfArguments } from "./settings/arguments.ts";
import { type BackupConfig, backupEntries, backupOf, missingForBackup } from "./settings/backup.ts";
import { type BucketKeys, bucketKeysOf } from "./settings/bucket.ts";
import { type ListenAddress, readListenAddress } from "./settings/listen-address.ts";
import { type MailConfig, mailEntries, mailOf, missingForMail } from "./settings/mail.ts";
import { misspelt } from "./settings/misspelt.ts";
import { missingForOidc, type OidcConfig, oidcEntries, oidcOf } from "./settings/oidc.ts";
import { host, hostInUrl, number, url, wholeNumber } from "./settings/values.ts";

const MIB = 1024 * 1024;
const MAX_PORT = 65_535;

/** Variables whose values are never printed, not even when they are wrong. */
const SECRET = new Set(["REDIS_URL", "OIDC_CLIENT_SECRET", "SMTP_URL", "MAIL_INBOUND_SECRET", "BACKUP_DIR"]);

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const addressOf = (host: string, port: number) => `http://${hostInUrl(host)}:${port}`;

/** Whether links would begin with a port that only the system knows: PORT is 0, and nobody has said where people reach the service. */
export const isNowhere = (publicUrl: string) => publicUrl.endsWith(":0");

/** What a process says that makes links and does not listen itself. */
export const UNKNOWN_PORT =
  "PORT is 0, and PUBLIC_URL is not set: this process does not know which port the service has, and its links have none. Set PUBLIC_URL.";

/** What links begin with once the service listens. */
export const reachedAt = ({ publicUrl, host }: Config, port: number) =>
  isNowhere(publicUrl) ? addressOf(host, port) : publicUrl;

const Environment = v.object({
  PORT: wholeNumber(3000, 0, MAX_PORT),
  HOST: v.optional(host, "127.0.0.1"),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty("must not be empty")), "./data"),
  ERASED_DIR: v.optional(v.string()),
  REDIS_URL: v.optional(url(["redis:", "rediss:", "unix:"])),
  PUBLIC_URL: v.optional(
    v.pipe(
      url(["http:", "https:"]),
      v.check((text) => !/[?#]/.test(text), "must be a URL without a query or a fragment"),
      v.transform((text) => text.replace(/\/+$/, "")),
    ),
  ),
  TRUST_PROXY: v.optional(v.picklist(["true", "false"], "must be true or false"), "false"),
  LOG_LEVEL: v.optional(v.picklist(LEVELS, `must be one of ${LEVELS.join(", ")}`), "info"),
  SYNC_WAIT_SECONDS: wholeNumber(30, 0, 300),
  WRITE_WAIT_MS: wholeNumber(5000, 0, 60_000),
  BODY_MAX_BYTES: wholeNumber(MIB, 1024, 8 * MIB),
  IMPORT_MAX_BYTES: wholeNumber(256 * MIB, 1024, 2048 * MIB),
  WEB_CONCURRENCY: wholeNumber(1, 1, 64),
  WORKER_CONCURRENCY: wholeNumber(2, 1, 64),
  JOB_RESULT_TTL_HOURS: wholeNumber(7 * 24, 1, 3650 * 24),
  JOB_RESULT_TTL_DAYS: wholeNumber(7, 1, 3650),
  EVENTS_TTL_DAYS: wholeNumber(400, 1, 36_500),
  WEBHOOK_ALLOW_PRIVATE: v.optional(v.picklist(["true", "false"], "must be true or false"), "false"),
  RESULTS_MAX_BYTES: wholeNumber(4096 * MIB, MIB, 2 ** 50),
  WORKSPACE_RESULTS_MAX_BYTES: wholeNumber(2048 * MIB, MIB, 2 ** 50),
  WORKSPACE_SPOOL_MAX_BYTES: v.optional(number(1024, 2 ** 50)),
  DRAIN_DELAY_SECONDS: wholeNumber(0, 0, 300),
  BULL_BOARD_PORT: v.optional(number(1, MAX_PORT)),
  REUSE_PORT: v.optional(v.picklist(["true", "false"], "must be true or false"), "false"),
  METRICS_PORT: v.optional(number(0, MAX_PORT)),
  METRICS_HOST: v.optional(host, "127.0.0.1"),
  ...oidcEntries,
  ...mailEntries,
  ...backupEntries,
  CELL: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,15}$/, "must be 1 to 16 small letters and digits, a letter first")),
  ),
  CELL_LISTEN: v.optional(
    v.pipe(
      v.string(),
      v.transform(readListenAddress),
      v.check(
        (address) => address !== undefined,
        "must be a loopback or private address, as 10.0.0.5 or 10.0.0.5:4100",
      ),
    ),
  ),
  READY_NONCE: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -"))),
  FIRST_WORKSPACE_NAME: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty")), "First workspace"),
});

/** The names of all variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(Environment.entries);

/** The settings from the environment. The names of sizes and times end in their unit. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Where the list of the erased is (erasure/list.ts). */
  erasedDir: string;
  /** Undefined: jobs run in threads of this process. */
  redisUrl: string | undefined;
  publicUrl: string;
  /** Whether a reverse proxy runs in front, whose X-Forwarded-For gives the caller's address. */
  trustProxy: boolean;
  logLevel: v.InferOutput<typeof Environment>["LOG_LEVEL"];
  syncWaitSeconds: number;
  writeWaitMs: number;
  bodyMaxBytes: number;
  importMaxBytes: number;
  /** How many processes `web` has the API served by. */
  webConcurrency: number;
  workerConcurrency: number;
  jobResultTtlHours: number;
  eventsTtlDays: number;
  /** Whether webhooks may be sent to addresses that are not public. */
  webhookAllowPrivate: boolean;
  resultsMaxBytes: number;
  /** For the results of one workspace, and for the file of a job that runs. */
  workspaceResultsMaxBytes: number;
  /** For the bodies of one workspace's unfinished imports and plans. */
  workspaceSpoolMaxBytes: number;
  firstWorkspaceName: string;
  readyNonce: string | undefined;
  /** The name of the cell. Undefined: the one that the data directory has, if it has one. */
  cell: string | undefined;
  /** Where its web processes listen for other cells. */
  cellListen: ListenAddress;
  drainDelaySeconds: number;
  /** Where bull-board listens on the loopback address; undefined: nowhere. */
  bullBoardPort: number | undefined;
  /** Whether several processes may listen on the port. */
  reusePort: boolean;
  /** Where the process shows its metrics. Undefined: nowhere, and nothing is measured. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** Where people may sign in besides. Undefined: with a password alone. */
  oidc: OidcConfig | undefined;
  /** How mail is sent. Undefined: none is. */
  mail: MailConfig | undefined;
  /** When the service backs itself up, and where to. Undefined: it does not. */
  backup: BackupConfig | undefined;
  /** For backups in a bucket. Undefined: there are none. */
  bucketKeys: BucketKeys | undefined;
}

/** The configuration is wrong. The message has a line for each bad variable. */
export class ConfigError extends Error {}

/** Reads the configuration from `env`. @throws ConfigError that names every bad variable */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  // An empty variable counts as missing.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const { success, output, issues } = v.safeParse(Environment, set);
  const lines = (issues ?? []).map((issue) => {
    const name = v.getDotPath(issue) ?? "";
    return `  ${name} ${issue.message}${SECRET.has(name) ? "" : ` (it is ${JSON.stringify(issue.input)})`}`;
  });
  if (set.JOB_RESULT_TTL_DAYS && set.JOB_RESULT_TTL_HOURS)
    lines.push("  JOB_RESULT_TTL_DAYS must be left out when JOB_RESULT_TTL_HOURS is set");
  if (success && (output.WORKSPACE_SPOOL_MAX_BYTES ?? Number.POSITIVE_INFINITY) < output.IMPORT_MAX_BYTES)
    lines.push("  WORKSPACE_SPOOL_MAX_BYTES must be at least IMPORT_MAX_BYTES");
  if (set.BULL_BOARD_PORT && !set.REDIS_URL)
    lines.push("  BULL_BOARD_PORT must be left out without REDIS_URL: bull-board shows what is in Redis");
  if (success && output.WEB_CONCURRENCY > 1 && !set.REDIS_URL)
    lines.push("  WEB_CONCURRENCY must be 1 without REDIS_URL: jobs run in the web process then, and there is one");
  if (success && output.REUSE_PORT === "true" && output.PORT === 0)
    lines.push("  PORT must not be 0 with REUSE_PORT: each process would have another port");
  if (success && (output.METRICS_PORT ?? 0) + output.WEB_CONCURRENCY > MAX_PORT + 1) {
    lines.push(
      `  METRICS_PORT must be at most ${MAX_PORT + 1 - output.WEB_CONCURRENCY}: each of WEB_CONCURRENCY processes has a port`,
    );
  }
  if (success && output.PUBLIC_URL === undefined && output.HOST.includes("%"))
    lines.push("  PUBLIC_URL must be set where HOST names an interface: a link can't");
  lines.push(...missingForOidc(set), ...missingForMail(set), ...missingForBackup(set));
  if (!success || lines.length) throw new ConfigError(`The configuration is wrong:\n${lines.join("\n")}`);
  return {
    port: output.PORT,
    host: output.HOST,
    dataDir: output.DATA_DIR,
    erasedDir: output.ERASED_DIR ?? join(output.DATA_DIR, "erased"),
    redisUrl: output.REDIS_URL,
    publicUrl: output.PUBLIC_URL ?? addressOf(output.HOST, output.PORT),
    trustProxy: output.TRUST_PROXY === "true",
    logLevel: output.LOG_LEVEL,
    syncWaitSeconds: output.SYNC_WAIT_SECONDS,
    writeWaitMs: output.WRITE_WAIT_MS,
    bodyMaxBytes: output.BODY_MAX_BYTES,
    importMaxBytes: output.IMPORT_MAX_BYTES,
    webConcurrency: output.WEB_CONCURRENCY,
    workerConcurrency: output.WORKER_CONCURRENCY,
    jobResultTtlHours: set.JOB_RESULT_TTL_DAYS ? output.JOB_RESULT_TTL_DAYS * 24 : output.JOB_RESULT_TTL_HOURS,
    eventsTtlDays: output.EVENTS_TTL_DAYS,
    webhookAllowPrivate: output.WEBHOOK_ALLOW_PRIVATE === "true",
    resultsMaxBytes: output.RESULTS_MAX_BYTES,
    workspaceResultsMaxBytes: output.WORKSPACE_RESULTS_MAX_BYTES,
    workspaceSpoolMaxBytes: output.WORKSPACE_SPOOL_MAX_BYTES ?? 4 * output.IMPORT_MAX_BYTES,
    cell: output.CELL,
    cellListen: output.CELL_LISTEN ?? { host: "127.0.0.1", port: 0 },
    firstWorkspaceName: output.FIRST_WORKSPACE_NAME,
    readyNonce: output.READY_NONCE,
    drainDelaySeconds: output.DRAIN_DELAY_SECONDS,
    bullBoardPort: output.BULL_BOARD_PORT,
    reusePort: output.REUSE_PORT === "true",
    metricsPort: output.METRICS_PORT,
    metricsHost: output.METRICS_HOST,
    oidc: oidcOf(output),
    mail: mailOf(output),
    backup: backupOf(output),
    bucketKeys: bucketKeysOf(output),
  };
}

/** Each process says it once, and of several web processes the one that has started them. */
let hasWarned = false;

function warnOfMisspelt(): void {
  if (hasWarned || cluster.isWorker) return;
  hasWarned = true;
  for (const sentence of misspelt(process.env, VARIABLES)) process.stderr.write(`${sentence}\n`);
}

/** The configuration; the process ends if it is wrong. @param more what replaces variables of the environment */
export function configOrExit(more: Record<string, string | undefined> = {}): Config {
  // A name that is nearly right may be why another variable is missing.
  warnOfMisspelt();
  try {
    const config = readConfig({ ...process.env, ...more });
    // Large sorts of SQLite have temporary files, with people's data. In the shared folder others could fill the disk.
    process.env.SQLITE_TMPDIR = resolve(config.dataDir, "tmp");
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** For processes that take no arguments: says what is meant with one, and ends the process. */
export function refuseArguments(): void {
  const fault = faultOfArguments(process.argv.slice(2), process.env, VARIABLES);
  if (fault === undefined) return;
  process.stderr.write(`${fault}\n`);
  process.exit(2);
}
