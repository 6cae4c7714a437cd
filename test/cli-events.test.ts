// Every command that changes something leaves an event; one that only looks, is refused or changes nothing leaves none.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Command } from "commander";
import { controlPath } from "../db/control.ts";
import { openWriter } from "../db/sqlite/open.ts";
import { immediate } from "../db/sqlite/write.ts";
import { Workspaces } from "../db/workspaces.ts";
import { makeProgram } from "../src/cli/program.ts";
import { operator } from "../src/events/actors.ts";
import { BY_SERVICE, recordEvent } from "../src/events/record.ts";
import { Client, people } from "./support/client.ts";
import { type Installation, install } from "./support/process.ts";
import { NOBODYS_URL } from "./support/world.ts";

const installation = install({ LOG_LEVEL: "warn", WEBHOOK_ALLOW_PRIVATE: "true" });
const folder = join(installation.dataDir, "..", `${installation.dataDir.split("/").at(-1)}-files`);
mkdirSync(folder);
after(() => rmSync(folder, { recursive: true }));
const web = await installation.web();

const PATIENT = { busyTimeoutMs: 10_000, checkpoints: false } as const;
const NOTE = "Ticket 4711 – because";

/** A workspace that the command line has made, with one of all that commands are about. */
interface Made {
  id: string;
  client: Client;
  /** The options that name it. */
  of: string[];
  key: string;
  token: string;
  user: string;
  /** A user of the console, and the link that was printed. */
  invited: { id: string; link: string };
  roster: string;
  /** Somebody of the roster. */
  leavers: string;
  screener: string;
  webhook: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
type Json = any;

/** Runs a command with --json. @returns the one value that it prints */
async function json(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

async function make(name: string): Promise<Made> {
  const made = await json("workspace", "create", name, "--note", NOTE);
  const { id } = made.workspace;
  const of = ["--workspace", id];
  const client = new Client(web.url, id, made);
  const key = await json("key", "create", ...of, "--name", "Sync");
  const token = await json("token", "create", ...of, "--user-name", "Ada");
  const email = ["--email", `grace-${id}@example.org`];
  const invited = await json("user", "create", ...of, ...email, "--name", "Grace H", "--role", "viewer");
  // As if the user had signed in at a provider.
  const control = openWriter(controlPath(installation.dataDir), PATIENT);
  immediate(control, () =>
    control.run(
      "UPDATE workspace_user SET oidc_issuer = 'https://login', oidc_subject = uid WHERE uid = ?",
      invited.id,
    ),
  );
  control.close();
  const roster = join(folder, `${id}.csv`);
  writeFileSync(roster, "externalUid,email,name\nP-1,p1@example.org,One\nP-2,p2@example.org,Two\n");
  const leavers = join(folder, `${id}.txt`);
  writeFileSync(leavers, "P-2\n");
  const screener = await client.screener();
  const webhook = (await client.post("/webhook-endpoints", { url: NOBODYS_URL })).body.id;
  return {
    id,
    client,
    of,
    key: key.id,
    token: token.id,
    user: token.user.id,
    invited,
    roster,
    leavers,
    screener,
    webhook,
  };
}

interface Case {
  args(made: Made): string[];
  /** The types of the events that it leaves; none: it changes nothing that the log is about. */
  types: string[];
  /** What it answers when it is repeated, and changes nothing: 0, or 1 if it refuses that. Left out: it changes something again. */
  again?: 0 | 1;
  /** How it ends the first time, if not with 0. */
  code?: number;
}

const looks = (args: (made: Made) => string[] = () => []): Case => ({ args, types: [] });

/** By command, in an order that can be run. */
const cases: Record<string, Case> = {
  "workspace list": looks(),
  "workspace rename": { args: ({ of }) => ["Renamed", ...of], types: ["workspace.updated"], again: 0 },
  "workspace set": {
    args: ({ of }) => [...of, "--max-removals", "20%", "--answers-months", "24"],
    types: ["workspace.updated"],
    again: 0,
  },
  "workspace retention": looks(({ of }) => of),
  "workspace suspend": { args: ({ of }) => of, types: ["workspace.suspended"], again: 0 },
  "workspace resume": { args: ({ of }) => of, types: ["workspace.resumed"], again: 0 },
  // Its folder is there already.
  "workspace export": {
    args: ({ of, id }) => [...of, "--to", join(folder, `export-${id}`)],
    types: ["data.exported"],
    again: 1,
  },
  // Of a store that lacks nothing. Else: test/faults/lost-stores.test.ts.
  "workspace accept-store": looks(({ of }) => of),
  "key create": { args: ({ of }) => [...of, "--name", "Other"], types: ["api-key.created"] },
  "key list": looks(({ of }) => of),
  "key rotate": { args: ({ of, key }) => [key, ...of], types: ["api-key.rotated"] },
  "key revoke": { args: ({ of, key }) => [key, ...of], types: ["api-key.revoked"], again: 0 },
  "token create": {
    args: ({ of }) => [...of, "--user-name", "Grace"],
    types: ["user.created", "access-token.created"],
  },
  "token list": looks(({ of }) => of),
  "token revoke": { args: ({ of, token }) => [token, ...of], types: ["access-token.revoked"], again: 0 },
  "user create": {
    args: ({ of, id }) => [...of, "--email", `ada-${id}@example.org`, "--name", "Ada", "--role", "viewer"],
    types: ["user.created"],
  },
  "user link": { args: ({ of, invited }) => [invited.id, ...of], types: ["user.link-issued"] },
  "user list": looks(({ of }) => of),
  "user role": {
    args: ({ of, invited }) => [invited.id, "--role", "admin", ...of],
    types: ["user.role-changed"],
    again: 0,
  },
  // Test: test/api/two-factor.test.ts. Here nobody has it.
  "user reset-two-factor": looks(({ of, invited }) => [invited.id, ...of]),
  "user disable": { args: ({ of, user }) => [user, ...of], types: ["user.disabled"], again: 0 },
  "user operator": { args: ({ of, invited }) => [invited.id, ...of], types: ["user.updated"], again: 0 },
  "user enable": { args: ({ of, user }) => [user, ...of], types: ["user.enabled"], again: 0 },
  "user untie": { args: ({ of, invited }) => [invited.id, ...of], types: ["user.untied"], again: 0 },
  "attribute index": { args: ({ of }) => ["country", ...of], types: ["attribute-index.created"], again: 0 },
  "attribute list": looks(({ of }) => of),
  "attribute unindex": { args: ({ of }) => ["country", ...of], types: ["attribute-index.removed"], again: 1 },
  "webhook list": looks(({ of }) => of),
  "webhook test": { args: ({ of, webhook }) => [webhook, ...of], types: ["webhook-endpoint.tested"] },
  "webhook deliveries": looks(({ of }) => of),
  // It brings files to the schema of this release. What is in them stays.
  migrate: looks(),
  // A plan, and its application: each has its event, also when nothing is new.
  import: {
    args: ({ of, roster, screener }) => [roster, ...of, "--screener", screener],
    types: ["import.planned", "import.completed"],
  },
  // A plan, and its application.
  "participant remove": {
    args: ({ of, leavers, screener }) => [leavers, ...of, "--screener", screener, "--yes"],
    types: ["job.planned", "screener-participants.removed"],
    again: 1,
  },
  "participant erase": {
    args: ({ of, leavers }) => [leavers, ...of, "--yes"],
    types: ["job.planned", "participant.erased", "participants.erased"],
    again: 1,
  },
  "job list": looks(),
  "job show": looks(() => installation.control<string>("SELECT uid FROM job").slice(0, 1)),
  backup: looks(() => [folder]),
  verify: looks(),
  // Nothing answers at the address of the links.
  doctor: { ...looks(), code: 1 },
};

/** Commands that are tested below, each with the reason why it is not above. */
const OTHERS = {
  "workspace create": "its events are the first ones of a new log",
  "workspace delete": "the log goes with the workspace",
  "workspace move": "it needs another cell: test/faults/cell-move.test.ts",
  "cell list": "it needs a Redis: test/faults/cell-routing.test.ts",
  completion: "it only prints a script: test/cli-completion.test.ts",
  "cell forget": "it changes no workspace: test/faults/cell-routing.test.ts",
  "clock accept": "it changes no workspace: test/faults/clock.test.ts",
  restore: "it makes another installation, or replaces a store: test/restore-workspace.test.ts",
  "workspace import": "it makes a workspace: test/restore-workspace.test.ts",
  "job cancel": "it needs a job that waits: test/cli-jobs.test.ts",
  "job retry": "it needs a job that has failed: test/faults/job-retry.test.ts",
};

/** The commands of the command line that do something, by their full names. */
function commandsOf(command: Command, prefix = ""): string[] {
  return command.commands.flatMap((one) => {
    const name = `${prefix}${one.name()}`;
    return one.commands.length ? commandsOf(one, `${name} `) : [name];
  });
}

/** The events of a workspace, from its store: its credentials may not work just now. */
function eventsOf({ id }: { id: string }, where: Installation = installation): Json[] {
  const known = where.known({ workspace: { id, name: "" }, apiKey: "", apiSecret: "" });
  return where.read(known, (db) =>
    db.all(
      `SELECT e.*, a.type AS actor_type, a.name AS actor_name FROM event AS e JOIN actor AS a ON a.id = e.actor_id ORDER BY e.id`,
    ),
  );
}

const made = await make("Acme");

test("every command is looked at here", () => {
  assert.deepEqual([...Object.keys(cases), ...Object.keys(OTHERS)].sort(), commandsOf(makeProgram()).sort());
});

test("a new workspace's log begins with its creation, and that of its key", () => {
  const [first, second] = eventsOf(made);
  assert.deepEqual([first.type, second.type], ["workspace.created", "api-key.created"]);
  for (const { actor_type, actor_name, note } of [first, second])
    assert.deepEqual([actor_type, actor_name, note], ["OperatorActor", userInfo().username, NOTE]);
  assert.equal(first.resource_uid, made.id);
});

for (const [name, { args, types, again, code: expected = 0 }] of Object.entries(cases)) {
  const ends = types.length ? `leaves ${types.join(" and ")}` : "leaves no event";
  test(`${name} ${ends}${again === undefined ? "" : "; and none when it is repeated"}`, async () => {
    const run = () => installation.cli(...name.split(" "), ...args(made), "--note", NOTE);
    const before = eventsOf(made).length;
    const { code, stderr } = await run();
    assert.equal(code, expected, stderr);
    const added = eventsOf(made).slice(before);
    assert.deepEqual(
      added.map(({ type }) => type),
      types,
    );
    for (const { actor_type, actor_name, note, changes, summary } of added) {
      assert.deepEqual([actor_type, actor_name, note], ["OperatorActor", userInfo().username, NOTE]);
      assert.ok(changes || summary, "it says what");
      assert.doesNotMatch(`${changes} ${summary}`, /secret_|token_|key_/);
    }
    if (again === undefined) return;
    const repeated = await run();
    assert.equal(repeated.code, again, repeated.stderr);
    assert.equal(eventsOf(made).length, before + types.length);
  });
}

test("the list of users says how each signs in", async () => {
  const { of, invited } = await make("Ways");
  const way = async () => {
    const listed: Json[] = await json("user", "list", ...of);
    const { hasPassword, oidcIssuer } = listed.find(({ id }) => id === invited.id);
    const { stdout } = await installation.cli("user", "list", ...of);
    const line = stdout.split("\n").find((text) => text.startsWith(invited.id))!;
    return [hasPassword, oidcIssuer, line.split("  ")[4]];
  };
  assert.deepEqual(await way(), [false, "https://login", "single sign-on at https://login"]);
  await json("user", "untie", invited.id, ...of);
  assert.deepEqual(await way(), [false, null, "has not signed in yet"]);
});

test("the link that is printed for a user opens, and the one before it no more", async () => {
  const { of, invited } = made;
  const open = async (link: string) => (await fetch(web.url + new URL(link).pathname)).status;
  const { link } = await json("user", "link", invited.id, ...of);
  assert.deepEqual([await open(link), await open(invited.link)], [200, 404]);
  for (const args of [
    ["link", made.user, ...of],
    ["create", ...of, "--email", `GRACE-${made.id}@example.org`, "--name", "Again", "--role", "viewer"],
    ["create", ...of, "--email", "nobody", "--name", "Nobody", "--role", "viewer"],
    ["create", ...of, "--email", "owner@example.org", "--name", "Owner", "--role", "owner"],
  ])
    assert.equal((await installation.cli("user", ...args)).code, 2, args.join(" "));
});

test("a command that is refused leaves no event", async () => {
  const before = eventsOf(made).length;
  const { of } = made;
  for (const args of [
    ["workspace", "rename", " ", ...of],
    ["workspace", "set", ...of],
    ["workspace", "delete", ...of, "--confirm", "x"],
    ["key", "revoke", made.user, ...of],
    ["key", "rotate", made.key, ...of],
    ["token", "revoke", made.user, ...of],
    ["user", "disable", made.key, ...of],
    ["import", made.roster, ...of, "--screener", made.screener, "--note", "x".repeat(501)],
  ]) {
    const { code } = await installation.cli(...args);
    assert.ok(code! > 0, args.join(" "));
  }
  assert.equal(eventsOf(made).length, before);
});

test("what an operator imports is attributed to the operator in the log, and to the command line in its rows", async () => {
  const { client } = made;
  const [person] = (await client.get("/participants")).body.items;
  assert.deepEqual([person.createdBy._type, person.createdBy.name], ["ApplicationActor", "Command line"]);
  const { body } = await client.get("/events?filter[type][eq]=import.completed");
  assert.deepEqual([body.total, body.items[0].actor._type], [1, "OperatorActor"]);
});

test("an import that nobody confirms leaves its plan and its end in the log", async () => {
  await made.client.import(made.screener, people(3, 100));
  const before = eventsOf(made).length;
  const { code } = await installation.cli(
    ...["import", made.roster, ...made.of, "--screener", made.screener, "--full-sync", "--max-removals", "100%"],
  );
  assert.equal(code, 3);
  assert.deepEqual(
    eventsOf(made)
      .slice(before)
      .map(({ type, actor_type }) => [type, actor_type]),
    [
      ["import.planned", "OperatorActor"],
      ["job.cancelled", "OperatorActor"],
    ],
  );
});

test("a restored workspace says so in its log", async () => {
  const other = install({}, join(folder, "restored"));
  const restored = await other.cli("restore", folder, "--note", NOTE);
  assert.equal(restored.code, 0, restored.stderr);
  const server = await other.web();
  const there = new Client(server.url, made.id, made.client.credentials);
  const log = await there.get(`/events/feed?limit=500`, { Prefer: "wait=0" });
  const after = log.body.cursor;
  const { body } = log.body.items.some(({ type }: Json) => type === "workspace.restored")
    ? log
    : await there.get(`/events/feed?after=${after}`, { Prefer: "wait=20" });
  const { actor, note, summary } = body.items.at(-1);
  assert.deepEqual([body.items.at(-1).type, actor._type, note], ["workspace.restored", "OperatorActor", NOTE]);
  assert.ok(summary.backupOf);
});

test("each operator keeps the name and the id, and can be filtered by", async () => {
  const { client } = made;
  const path = new Workspaces(installation.dataDir, { ...PATIENT, onStale: "migrate" }).path(made.id);
  const db = openWriter(path, PATIENT);
  for (const name of ["ada", "alan", "ada"])
    immediate(db, () =>
      recordEvent(
        db,
        { ...BY_SERVICE, actor: operator(name), note: "one of three" },
        { type: "workspace.updated", resource: { type: "Workspace", uid: made.id } },
      ),
    );
  db.close();
  const { items } = (await client.get("/events?pagination[limit]=500")).body;
  const three: Json[] = items.filter(({ note }: Json) => note === "one of three");
  assert.deepEqual(
    three.map(({ actor }) => actor.name),
    ["ada", "alan", "ada"],
  );
  const { body } = await client.get(`/events?filter[actorId][eq]=${three[0].actor.id}`);
  assert.deepEqual(
    body.items.map(({ id }: Json) => id),
    [three[0].id, three[2].id],
  );
});

test("a deleted workspace leaves nothing that waits for its log", async () => {
  assert.equal((await installation.cli("workspace", "delete", ...made.of, "--confirm", "Renamed")).code, 0);
  assert.deepEqual(installation.control("SELECT json FROM pending_event"), []);
});
