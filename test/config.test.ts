// The configuration: its defaults, and one report of everything that is wrong with it.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig, VARIABLES } from "../src/base/config.ts";
import { faultOfArguments } from "../src/base/settings/arguments.ts";
import { readBucketAddress } from "../src/base/settings/bucket.ts";
import { misspelt } from "../src/base/settings/misspelt.ts";
import { ServiceProcess } from "./support/process.ts";

test("everything has a default", () => {
  assert.deepEqual(readConfig({}), {
    port: 3000,
    host: "127.0.0.1",
    dataDir: "./data",
    erasedDir: "data/erased",
    redisUrl: undefined,
    publicUrl: "http://127.0.0.1:3000",
    trustProxy: false,
    logLevel: "info",
    syncWaitSeconds: 30,
    writeWaitMs: 5000,
    bodyMaxBytes: 1024 * 1024,
    importMaxBytes: 256 * 1024 * 1024,
    webConcurrency: 1,
    workerConcurrency: 2,
    jobResultTtlHours: 168,
    eventsTtlDays: 400,
    webhookAllowPrivate: false,
    resultsMaxBytes: 4096 * 1024 * 1024,
    workspaceResultsMaxBytes: 2048 * 1024 * 1024,
    workspaceSpoolMaxBytes: 1024 * 1024 * 1024,
    backup: undefined,
    bucketKeys: undefined,
    cell: undefined,
    cellListen: { host: "127.0.0.1", port: 0 },
    firstWorkspaceName: "First workspace",
    readyNonce: undefined,
    drainDelaySeconds: 0,
    bullBoardPort: undefined,
    reusePort: false,
    metricsPort: undefined,
    metricsHost: "127.0.0.1",
    oidc: undefined,
    mail: undefined,
  });
});

test("the budget of the spool fits any import", () => {
  assert.equal(readConfig({ IMPORT_MAX_BYTES: "4096" }).workspaceSpoolMaxBytes, 4 * 4096);
  assert.throws(
    () => readConfig({ IMPORT_MAX_BYTES: "4096", WORKSPACE_SPOOL_MAX_BYTES: "4095" }),
    new ConfigError("The configuration is wrong:\n  WORKSPACE_SPOOL_MAX_BYTES must be at least IMPORT_MAX_BYTES"),
  );
});

test("several web processes need Redis, and a port each for their metrics", () => {
  assert.throws(
    () => readConfig({ WEB_CONCURRENCY: "2" }),
    new ConfigError(
      "The configuration is wrong:\n  WEB_CONCURRENCY must be 1 without REDIS_URL: jobs run in the web process then, and there is one",
    ),
  );
  const env = { WEB_CONCURRENCY: "2", REDIS_URL: "redis://localhost" };
  assert.equal(readConfig({ ...env, METRICS_PORT: "65534" }).webConcurrency, 2);
  assert.throws(
    () => readConfig({ ...env, PORT: "0", REUSE_PORT: "true" }),
    new ConfigError(
      "The configuration is wrong:\n  PORT must not be 0 with REUSE_PORT: each process would have another port",
    ),
  );
  assert.throws(
    () => readConfig({ ...env, METRICS_PORT: "65535" }),
    new ConfigError(
      "The configuration is wrong:\n  METRICS_PORT must be at most 65534: each of WEB_CONCURRENCY processes has a port",
    ),
  );
});

test("single sign-on needs an issuer, a client and its secret; without TLS only on this machine, and the secret is never printed", () => {
  const env = { OIDC_ISSUER: "https://login.example.org", OIDC_CLIENT_ID: "screening", OIDC_CLIENT_SECRET: "hidden" };
  assert.equal(readConfig(env).oidc?.name, "login.example.org");
  const needs = "must be set: single sign-on needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET";
  assert.throws(
    () => readConfig({ OIDC_NAME: "Example", OIDC_CLIENT_SECRET: "hidden" }),
    new ConfigError(`The configuration is wrong:\n  OIDC_ISSUER ${needs}\n  OIDC_CLIENT_ID ${needs}`),
  );
  for (const local of ["http://127.0.0.1:4000", "http://localhost/oidc", "http://[::1]:4000"])
    assert.equal(readConfig({ ...env, OIDC_ISSUER: local }).oidc?.issuer, local);
  for (const bad of ["http://login.example.org", "http://127.0.0.1.example.org", "http://localhost.example.org"])
    assert.throws(() => readConfig({ ...env, OIDC_ISSUER: bad }), /OIDC_ISSUER must begin with https:\/\/, unless/);
  for (const bad of ["login.example.org", "https://login.example.org/?tenant=1"])
    assert.throws(() => readConfig({ ...env, OIDC_ISSUER: bad }), /OIDC_ISSUER must be a URL/);
});

test("mail needs a relay and whom it is from; signing needs a key that is one; and neither the password nor the key is printed", () => {
  const env = { SMTP_URL: "smtps://lab%40example:p%2Fw@mail.example.org", MAIL_FROM: "Sleep lab <lab@example.org>" };
  assert.deepEqual(readConfig(env).mail, {
    relay: {
      host: "mail.example.org",
      port: 465,
      isSecure: true,
      isLoopback: false,
      login: { user: "lab@example", pass: "p/w" },
    },
    from: { name: "Sleep lab", address: "lab@example.org" },
    replyTo: undefined,
    perMinute: 600,
    dkim: undefined,
    inbound: undefined,
  });
  for (const [url, port, isLoopback] of [
    ["smtp://mail.example.org", 587, false],
    ["smtp://mail.example.org:2525", 2525, false],
    ["smtp://127.0.0.1", 25, true],
    ["smtp://[::1]:1025", 1025, true],
    ["smtp://localhost.example.org", 587, false],
  ] as const) {
    const { relay } = readConfig({ ...env, SMTP_URL: url }).mail!;
    assert.deepEqual([relay.port, relay.isLoopback], [port, isLoopback], url);
  }
  const bad = [
    "mail.example.org",
    "https://mail.example.org",
    "smtp://",
    "smtp://u@h",
    "smtp://u:hidden%@h",
    "smtp://h/x",
  ];
  for (const url of bad)
    assert.throws(
      () => readConfig({ ...env, SMTP_URL: url }),
      (error: ConfigError) => / SMTP_URL must /.test(error.message) && !/hidden|https/.test(error.message),
      url,
    );
  for (const from of ["Lab", "lab@", "Lab <lab@example.org", "a@example.org, b@example.org", "A\nBcc: <b@example.org>"])
    assert.throws(() => readConfig({ ...env, MAIL_FROM: from }), /MAIL_FROM must be an address/, from);
  assert.throws(() => readConfig({ SMTP_URL: env.SMTP_URL }), /MAIL_FROM must be set with SMTP_URL/);
  assert.throws(() => readConfig({ MAIL_FROM: env.MAIL_FROM }), /MAIL_FROM must be left out without SMTP_URL/);
  const folder = mkdtempSync(join(tmpdir(), "screening-config-"));
  try {
    const file = join(folder, "dkim.pem");
    const signing = { MAIL_DKIM_DOMAIN: "example.org", MAIL_DKIM_SELECTOR: "s1", MAIL_DKIM_KEY_FILE: file };
    assert.throws(() => readConfig({ ...env, ...signing }), /MAIL_DKIM_KEY_FILE can't be read \(ENOENT\)/);
    writeFileSync(file, "hidden");
    assert.throws(
      () => readConfig({ ...env, ...signing }),
      (error: ConfigError) => /must be a file with a private key/.test(error.message) && !/hidden/.test(error.message),
    );
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(file, pem);
    const dkim = { domain: "example.org", selector: "s1", privateKey: pem };
    assert.deepEqual(readConfig({ ...env, ...signing }).mail?.dkim, dkim);
    const needs = "must be set: DKIM needs MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE";
    assert.throws(
      () => readConfig({ ...env, MAIL_DKIM_DOMAIN: "example.org", MAIL_DKIM_SELECTOR: "s1" }),
      new ConfigError(`The configuration is wrong:\n  MAIL_DKIM_KEY_FILE ${needs}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an empty variable is as good as none, and what is unknown is nobody's business", () => {
  const empty = {
    PORT: "",
    HOST: "",
    DATA_DIR: "",
    REDIS_URL: "",
    PUBLIC_URL: "",
    LOG_LEVEL: "",
    SYNC_WAIT_SECONDS: "",
  };
  assert.deepEqual(readConfig({ ...empty, WRITE_WAIT_MS: undefined, SOMETHING: "else" }), readConfig({}));
});

test("cells listen for each other where nobody on the internet reaches them", () => {
  for (const [text, host, port] of [
    ["127.0.0.1", "127.0.0.1", 0],
    ["10.1.2.3:4100", "10.1.2.3", 4100],
    ["172.31.255.255:1", "172.31.255.255", 1],
    ["192.168.0.1", "192.168.0.1", 0],
    ["100.64.0.7", "100.64.0.7", 0],
    ["::1", "::1", 0],
    ["[fd12::1]:4100", "fd12::1", 4100],
  ] as const)
    assert.deepEqual(readConfig({ CELL_LISTEN: text }).cellListen, { host, port }, text);
  for (const text of [
    "0.0.0.0",
    "::",
    "[::]:1",
    "172.32.0.1",
    "8.8.8.8:4100",
    "localhost",
    "10.0.0.5:65536",
    "10.0.0.5:",
    "4100",
    "169.254.169.254",
  ])
    assert.throws(() => readConfig({ CELL_LISTEN: text }), /CELL_LISTEN must be a loopback or private address/, text);
});

test("backups may go to a bucket, whose address is read as Litestream's; its keys have variables, and are never printed", () => {
  const amazon = "https://backups.s3.us-east-1.amazonaws.com";
  for (const [text, endpoint, region, path] of [
    ["s3://backups", amazon, "us-east-1", ""],
    ["s3://backups/a/b/", amazon, "us-east-1", "a/b"],
    ["s3://backups/a?region=eu-central-1", "https://backups.s3.eu-central-1.amazonaws.com", "eu-central-1", "a"],
    ["s3://backups.of.ours/a", "https://s3.us-east-1.amazonaws.com/backups.of.ours", "us-east-1", "a"],
    ["s3://backups.localhost:9000/a", "http://localhost:9000/backups", "us-east-1", "a"],
    [
      "s3://backups.s3.eu-central-003.backblazeb2.com/a",
      "https://s3.eu-central-003.backblazeb2.com/backups",
      "eu-central-003",
      "a",
    ],
    ["s3://backups.s3.filebase.com", "https://s3.filebase.com/backups", "us-east-1", ""],
    ["s3://backups.ams3.digitaloceanspaces.com", "https://ams3.digitaloceanspaces.com/backups", "ams3", ""],
    ["s3://backups.s3.fr-par.scw.cloud/a", "https://s3.fr-par.scw.cloud/backups", "fr-par", "a"],
    ["s3://backups.eu-1.linodeobjects.com/a", "https://eu-1.linodeobjects.com/backups", "eu-1", "a"],
    ["s3://backups/a?endpoint=http://10.0.0.5:9000/&region=here", "http://10.0.0.5:9000/backups", "here", "a"],
  ] as const) {
    const { of, at, ...address } = readBucketAddress(text);
    assert.deepEqual([address.endpoint, address.region, address.path], [endpoint, region, path], text);
  }
  const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hidden" };
  const set = { BACKUP_SCHEDULE: "0 2 * * *", BACKUP_DIR: "s3://backups/a" };
  assert.equal(readConfig({ ...set, ...keys }).backup!.dir, "s3://backups/a");
  const others = { LITESTREAM_ACCESS_KEY_ID: "id", LITESTREAM_SECRET_ACCESS_KEY: "hidden" };
  assert.deepEqual(readConfig({ ...set, ...others }).bucketKeys, { accessKeyId: "id", secretAccessKey: "hidden" });
  for (const [env, said] of [
    [{ ...set }, /^ {2}AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set.*: BACKUP_DIR is a bucket$/m],
    [{ ...set, AWS_SECRET_ACCESS_KEY: "hidden" }, /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/],
    [{ ...set, ...keys, BACKUP_DIR: "s3://id:hidden@backups/a" }, /^ {2}BACKUP_DIR must be an address without keys/m],
    [{ ...set, ...keys, BACKUP_DIR: "s3://backups?secret=hidden" }, /^ {2}BACKUP_DIR must have no other parameters/m],
    [
      { ...set, ...keys, BACKUP_DIR: "s3://backups?endpoint=ftp://a" },
      /^ {2}BACKUP_DIR must have an endpoint that begins/m,
    ],
    [{ ...set, ...keys, BACKUP_DIR: "s3://backups:9000/a" }, /^ {2}BACKUP_DIR must say the port in the endpoint/m],
    [{ ...set, ...keys, BACKUP_DIR: "s3:///a" }, /^ {2}BACKUP_DIR must name a bucket/m],
    [{ ...set, ...keys, BACKUP_DIR: "s3://backups/a//b" }, /^ {2}BACKUP_DIR must have a path of/m],
    [{ ...set, ...keys, BACKUP_DIR: "s3://Backups" }, /^ {2}BACKUP_DIR must name a bucket/m],
  ] as const)
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && said.test(error.message) && !error.message.includes("hidden"),
      `${said}`,
    );
});

test("every variable is read", () => {
  const config = readConfig({
    PORT: "8080",
    HOST: "0.0.0.0",
    DATA_DIR: "/srv/data",
    REDIS_URL: "redis://localhost:6379",
    PUBLIC_URL: "https://screening.example.org/app//",
    ERASED_DIR: "/mnt/erased",
    TRUST_PROXY: "true",
    LOG_LEVEL: "debug",
    SYNC_WAIT_SECONDS: "0",
    WRITE_WAIT_MS: "100",
    BODY_MAX_BYTES: "2048",
    IMPORT_MAX_BYTES: "4096",
    WEB_CONCURRENCY: "4",
    WORKER_CONCURRENCY: "8",
    JOB_RESULT_TTL_HOURS: "36",
    WEBHOOK_ALLOW_PRIVATE: "true",
    RESULTS_MAX_BYTES: "1048576",
    WORKSPACE_RESULTS_MAX_BYTES: "2097152",
    WORKSPACE_SPOOL_MAX_BYTES: "8192",
    BACKUP_SCHEDULE: "30 2 * 1,7 *",
    BACKUP_DIR: "/mnt/backups",
    BACKUP_KEEP_DAILY: "3",
    BACKUP_KEEP_WEEKLY: "0",
    AWS_ACCESS_KEY_ID: "AKID",
    AWS_SECRET_ACCESS_KEY: "the secret",
    LITESTREAM_ACCESS_KEY_ID: "not this one",
    LITESTREAM_SECRET_ACCESS_KEY: "nor this one",
    CELL: "eu1",
    CELL_LISTEN: "[fd00::5]:4100",
    FIRST_WORKSPACE_NAME: " Sleep lab ",
    READY_NONCE: "a-1_B",
    DRAIN_DELAY_SECONDS: "7",
    BULL_BOARD_PORT: "8081",
    METRICS_PORT: "9464",
    METRICS_HOST: "0.0.0.0",
    OIDC_ISSUER: "https://login.example.org/lab",
    OIDC_CLIENT_ID: "screening",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_NAME: " Example University ",
    SMTP_URL: "smtp://u:p@mail.example.org",
    MAIL_FROM: "Lab <lab@example.org>",
    MAIL_REPLY_TO: "team@example.org",
    MAIL_PER_MINUTE: "60",
    MAIL_INBOUND: "returned@mail.example.org",
    MAIL_INBOUND_SECRET: "a secret of more than thirty-two characters",
  });
  assert.deepEqual(config, {
    port: 8080,
    host: "0.0.0.0",
    dataDir: "/srv/data",
    erasedDir: "/mnt/erased",
    backup: { schedule: "30 2 * 1,7 *", dir: "/mnt/backups", keep: { daily: 3, weekly: 0 } },
    bucketKeys: { accessKeyId: "AKID", secretAccessKey: "the secret" },
    redisUrl: "redis://localhost:6379",
    publicUrl: "https://screening.example.org/app",
    trustProxy: true,
    logLevel: "debug",
    syncWaitSeconds: 0,
    writeWaitMs: 100,
    bodyMaxBytes: 2048,
    importMaxBytes: 4096,
    webConcurrency: 4,
    workerConcurrency: 8,
    jobResultTtlHours: 36,
    eventsTtlDays: 400,
    webhookAllowPrivate: true,
    resultsMaxBytes: 1024 * 1024,
    workspaceResultsMaxBytes: 2 * 1024 * 1024,
    workspaceSpoolMaxBytes: 8192,
    cell: "eu1",
    cellListen: { host: "fd00::5", port: 4100 },
    firstWorkspaceName: "Sleep lab",
    readyNonce: "a-1_B",
    drainDelaySeconds: 7,
    bullBoardPort: 8081,
    reusePort: false,
    metricsPort: 9464,
    metricsHost: "0.0.0.0",
    oidc: {
      issuer: "https://login.example.org/lab",
      clientId: "screening",
      clientSecret: "secret",
      name: "Example University",
    },
    mail: {
      relay: {
        host: "mail.example.org",
        port: 587,
        isSecure: false,
        isLoopback: false,
        login: { user: "u", pass: "p" },
      },
      from: { name: "Lab", address: "lab@example.org" },
      replyTo: { name: "", address: "team@example.org" },
      perMinute: 60,
      dkim: undefined,
      inbound: { name: "returned", domain: "mail.example.org", secret: "a secret of more than thirty-two characters" },
    },
  });
  assert.equal(readConfig({ JOB_RESULT_TTL_DAYS: "30" }).jobResultTtlHours, 720);
  assert.equal(readConfig({ HOST: "::1", PORT: "80" }).publicUrl, "http://[::1]:80");
  for (const url of ["rediss://u:p@host:1/2", "unix:///run/redis.sock"])
    assert.equal(readConfig({ REDIS_URL: url }).redisUrl, url);
});

test("each bad value is refused", () => {
  const bad: Record<string, string[]> = {
    BULL_BOARD_PORT: ["0", "65536", "on"],
    PORT: ["-1", "65536", "80.5", "http", " 80", "0x50"],
    REDIS_URL: ["localhost:6379", "http://localhost", "redis"],
    PUBLIC_URL: [
      "example.org",
      "ftp://example.org",
      "//example.org",
      "https://example.org/?a=b",
      "https://example.org#c",
    ],
    TRUST_PROXY: ["1", "yes", "TRUE"],
    LOG_LEVEL: ["INFO", "verbose"],
    SYNC_WAIT_SECONDS: ["301", "1s", "-1"],
    WRITE_WAIT_MS: ["60001", "5e3"],
    BODY_MAX_BYTES: ["0", "1MiB", "1023"],
    IMPORT_MAX_BYTES: ["0", "256MiB"],
    WEB_CONCURRENCY: ["0", "65", "all"],
    WORKER_CONCURRENCY: ["0", "65"],
    JOB_RESULT_TTL_HOURS: ["0", "1.5", "87601"],
    JOB_RESULT_TTL_DAYS: ["0", "forever"],
    RESULTS_MAX_BYTES: ["0", "1048575", "4GiB"],
    METRICS_PORT: ["65536", "none"],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof ConfigError);
          assert.ok(error.message.includes(`  ${name} must be `), error.message);
          assert.ok(error.message.includes(value) || name === "REDIS_URL", error.message);
          // A Redis URL may have a password in it.
          assert.equal(/ \(it is /.test(error.message), name !== "REDIS_URL", error.message);
          return true;
        },
        `${name}=${value}`,
      );
    }
  }
});

test("one time for results is enough", () => {
  assert.throws(
    () => readConfig({ JOB_RESULT_TTL_DAYS: "7", JOB_RESULT_TTL_HOURS: "168", PORT: "many" }),
    (error: Error) =>
      error instanceof ConfigError &&
      /JOB_RESULT_TTL_DAYS must be left out.*/.test(error.message) &&
      /PORT/.test(error.message),
  );
});

test("a process names every bad variable at once, a line each, and ends with 1", async () => {
  for (const script of ["src/web.ts", "workers/main.ts"]) {
    const env = { PORT: "many", LOG_LEVEL: "loud", REDIS_URL: "here", IMPORT_MAX_BYTES: "1" };
    const process = new ServiceProcess(script, { env });
    assert.deepEqual(await process.ended, { code: 1, signal: null });
    assert.equal(process.stdout, "");
    const [first, ...lines] = process.stderr.trimEnd().split("\n");
    assert.equal(first, "The configuration is wrong:");
    assert.deepEqual(
      lines.map((line) => line.trim().split(" ")[0]),
      ["PORT", "REDIS_URL", "LOG_LEVEL", "IMPORT_MAX_BYTES"],
      script,
    );
  }
});

test("a worker without Redis, a port that is taken and a data directory that can't be used each give one sentence", async () => {
  const worker = new ServiceProcess("workers/main.ts", { env: { REDIS_URL: "" } });
  assert.equal((await worker.ended).code, 1);
  assert.match(worker.stderr, /^A worker takes its jobs from Redis: set REDIS_URL\.[^\n]*\n$/);
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const dataDir = mkdtempSync(join(tmpdir(), "screening-config-"));
  const second = new ServiceProcess("src/web.ts", { env: { REDIS_URL: "", PORT: `${port}`, DATA_DIR: dataDir } });
  assert.equal((await second.ended).code, 1);
  assert.match(
    second.stderr,
    new RegExp(`^The service can't listen at HOST 127\\.0\\.0\\.1, PORT ${port}: [^\\n]*EADDRINUSE[^\\n]*\\n$`),
  );
  const measured = new ServiceProcess("src/web.ts", {
    env: { REDIS_URL: "", PORT: "0", METRICS_PORT: `${port}`, DATA_DIR: dataDir },
  });
  assert.equal((await measured.ended).code, 1);
  assert.match(measured.stderr, new RegExp(`^METRICS_PORT: [^\\n]*EADDRINUSE[^\\n]*${port}\\n$`));
  taken.close();
  rmSync(dataDir, { recursive: true, force: true });
  // In /proc nobody makes a folder.
  for (const [folder, named] of [
    ["/dev/null/data", "/dev/null/data"],
    ["/proc/nope", "/proc/nope"],
    ["/proc/nope/data", "/proc/nope"],
  ] as const) {
    const web = new ServiceProcess("src/web.ts", { env: { REDIS_URL: "", PORT: "0", DATA_DIR: folder } });
    assert.equal((await web.ended).code, 1);
    assert.match(web.stderr, new RegExp(`^[^\\n]*${named}[^\\n]*\\. Look at DATA_DIR\\n$`));
  }
});

test("mail that comes back needs an address and a secret, which is never printed", () => {
  const env = { SMTP_URL: "smtp://127.0.0.1", MAIL_FROM: "lab@example.org" };
  const secret = "a secret of more than thirty-two characters";
  const read = (more: object) => readConfig({ ...env, ...more }).mail!.inbound;
  const address = "returned@mail.example.org";
  assert.deepEqual(read({ MAIL_INBOUND: address, MAIL_INBOUND_SECRET: secret }), {
    ...{ name: "returned", domain: "mail.example.org", secret },
  });
  const needs = "must be set: mail that comes back needs MAIL_INBOUND and MAIL_INBOUND_SECRET";
  assert.throws(() => read({ MAIL_INBOUND: address }), new RegExp(`MAIL_INBOUND_SECRET ${needs}`));
  assert.throws(() => read({ MAIL_INBOUND_SECRET: secret }), new RegExp(`MAIL_INBOUND ${needs}`));
  for (const bad of [
    "returned",
    "Lab <returned@example.org>",
    "a+b@example.org",
    "sixteen-letters-@example.org",
    "@example.org",
  ])
    assert.throws(
      () => read({ MAIL_INBOUND: bad, MAIL_INBOUND_SECRET: secret }),
      /MAIL_INBOUND must be an address alone/,
    );
  assert.throws(
    () => read({ MAIL_INBOUND: address, MAIL_INBOUND_SECRET: "short secret" }),
    (error: Error) => /must have at least 32 characters/.test(error.message) && !error.message.includes("short secret"),
  );
  assert.throws(() => readConfig({ MAIL_INBOUND: address }), /MAIL_INBOUND must be left out without SMTP_URL/);
});

test("a variable that is nearly one of ours is named, and no other", () => {
  const env = {
    DATADIR: "x",
    Smtp_Uri: "x",
    PORTS: "1",
    HOME: "/",
    PATH: "/bin",
    MAIL: "/var/mail/ada",
    HOSTNAME: "a",
    TERM: "x",
  };
  assert.deepEqual(misspelt({ ...env, PORT: "1", DATA_DIR: "./data" }, VARIABLES), [
    "DATADIR is no variable of this service, and has no effect. Do you mean DATA_DIR?",
    "Smtp_Uri is no variable of this service, and has no effect. Do you mean SMTP_URL?",
    "PORTS is no variable of this service, and has no effect. Do you mean PORT?",
  ]);
  assert.match(
    misspelt({ PROT: "1", TRUST_PROYX: "1" }, VARIABLES).join(),
    /Do you mean PORT\?.*Do you mean TRUST_PROXY\?/,
  );
});

test("a name that is nearly right is also named where a variable is missing because of it", async () => {
  const web = new ServiceProcess("src/web.ts", {
    env: { REDIS_URL: "", SMTP_URL: "smtp://127.0.0.1", MAIL_FORM: "a@example.org" },
  });
  assert.equal((await web.ended).code, 1);
  assert.match(
    web.stderr,
    /MAIL_FORM is no variable .* Do you mean MAIL_FROM\?\nThe configuration is wrong:\n {2}MAIL_FROM/,
  );
});

test("what serves takes no arguments, and says which variable is meant", async () => {
  const head = "The service takes no arguments. Variables of the environment set it up (docs/operations.md has all):";
  const all = ["--data-dir=/x", "--host", "::1", "-v", "now", "4000"];
  const nearly = { npm_config_port: "4000", npm_config_loglevel: "silent" };
  assert.deepEqual(faultOfArguments(all, nearly, VARIABLES)?.split("\n"), [
    head,
    "  --data-dir /x: set DATA_DIR, as in `DATA_DIR=/x npm start`",
    "  --host ::1: set HOST, as in `HOST=::1 npm start`",
    "  -v now: there is no such setting",
    "  4000: there is no such setting",
    "  --port 4000: set PORT, as in `PORT=4000 npm start`",
  ]);
  const port = `${head}\n  --port 4000: set PORT, as in \`PORT=4000 npm start\``;
  assert.equal(faultOfArguments(["4000"], { npm_config_port: "true" }, VARIABLES), port);
  assert.equal(faultOfArguments([], { PORT: "4000" }, VARIABLES), undefined);
  for (const program of ["src/web.ts", "workers/main.ts"]) {
    const one = new ServiceProcess(program, { env: { REDIS_URL: "" }, args: ["--port", "4000"] });
    assert.deepEqual([(await one.ended).code, one.stderr], [2, `${port}\n`]);
  }
});

test("an address of IPv6 is taken with brackets and without", () => {
  for (const HOST of ["300.1.1.1", "::zz", "a b"])
    assert.throws(() => readConfig({ HOST }), /HOST must be a name or an IP address/);
  assert.throws(
    () => readConfig({ HOST: "fe80::1%eth0" }),
    new ConfigError(
      "The configuration is wrong:\n  PUBLIC_URL must be set where HOST names an interface: a link can't",
    ),
  );
  assert.equal(readConfig({ HOST: "fe80::1%eth0", PUBLIC_URL: "http://a.test" }).host, "fe80::1%eth0");
  for (const HOST of ["::1", "[::1]"])
    assert.deepEqual([readConfig({ HOST }).host, readConfig({ HOST }).publicUrl], ["::1", "http://[::1]:3000"]);
});
