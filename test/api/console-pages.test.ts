// The pages of the console: what they show of a workspace, to which role, and that they show nothing of another one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callerOf } from "../../src/console/shell/calls.ts";
import { visitorOf } from "../../src/console/shell/visitors.ts";
import { createApp } from "../../src/main/app.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { suspendWorkspace } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { ROLES, type Role } from "../../src/workspaces/rights.ts";
import { ConsoleBrowser, signedIn, signedInOperator } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { inControl, writeTo } from "../support/store.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const { control } = service.context;
const mine = await populate(service, "Mine");
const theirs = await populate(service, "Theirs");
const own = mine.client.workspaceId;

/** The role that each page needs; null: everybody may open it. operator: of the installation, whatever the role is. */
const PAGES: Record<string, Role | "operator" | null> = {
  "GET /console": null,
  "GET /console/assets/:file": null,
  "GET /console/sign-in": null,
  "POST /console/sign-in": null,
  "GET /console/sign-in/oidc": null,
  "GET /console/sign-in/oidc/callback": null,
  "GET /console/sign-in/:secret": null,
  "POST /console/sign-in/:secret": null,
  "POST /console/sign-out": "viewer",
  "GET /console/studies": "viewer",
  "POST /console/studies": "researcher",
  "GET /console/studies/new": "researcher",
  "GET /console/studies/:id": "viewer",
  "POST /console/studies/:id": "researcher",
  "POST /console/studies/:id/signals": "researcher",
  "POST /console/studies/:id/archive": "researcher",
  "POST /console/studies/:id/duplicate": "researcher",
  "GET /console/studies/:id/delete": "admin",
  "POST /console/studies/:id/delete": "admin",
  "POST /console/studies/:id/images": "researcher",
  "GET /console/studies/:id/content.json": "viewer",
  "GET /console/studies/:id/content": "researcher",
  "POST /console/studies/:id/content": "researcher",
  "GET /console/studies/:id/build": "researcher",
  "GET /console/studies/:id/draft": "researcher",
  "POST /console/studies/:id/draft": "researcher",
  "GET /console/studies/:id/preview": "researcher",
  "GET /console/studies/:id/try": "viewer",
  "POST /console/studies/:id/try": "viewer",
  "POST /console/studies/:id/test-links": "researcher",
  "POST /console/studies/:id/test-links/deletion": "researcher",
  "GET /console/words": "admin",
  "POST /console/words": "admin",
  "GET /console/words/:language": "admin",
  "POST /console/words/:language": "admin",
  "GET /console/studies/:id/words": "researcher",
  "POST /console/studies/:id/words": "researcher",
  "GET /console/studies/:id/words/:language": "researcher",
  "POST /console/studies/:id/words/:language": "researcher",
  "GET /console/studies/:id/languages": "researcher",
  "POST /console/studies/:id/languages": "researcher",
  "GET /console/studies/:id/languages/:language": "researcher",
  "POST /console/studies/:id/languages/:language": "researcher",
  "GET /console/studies/:id/languages/:language/file": "researcher",
  "POST /console/studies/:id/languages/:language/file": "researcher",
  "POST /console/studies/:id/languages/:language/changes": "researcher",
  "POST /console/studies/:id/languages/:language/deletion": "researcher",
  "GET /console/messages": "researcher",
  "GET /console/studies/:id/messages": "researcher",
  "POST /console/studies/:id/messages": "researcher",
  "GET /console/studies/:id/messages/plans/:job": "researcher",
  "POST /console/studies/:id/messages/plans/:job": "researcher",
  "GET /console/studies/:id/messages/:mailing": "researcher",
  "POST /console/studies/:id/messages/:mailing": "researcher",
  "GET /console/studies/:id/messages/:mailing/messages.csv": "researcher",
  "GET /console/studies/:id/share": "researcher",
  "POST /console/studies/:id/share": "researcher",
  "GET /console/studies/:id/share/:link/qr.svg": "researcher",
  "POST /console/studies/:id/share/:link/revocation": "researcher",
  "GET /console/studies/:id/publish": "researcher",
  "POST /console/studies/:id/publish": "researcher",
  "GET /console/studies/:id/versions": "researcher",
  "POST /console/studies/:id/versions/:publication/restore": "researcher",
  "POST /console/studies/:id/move": "researcher",
  "GET /console/studies/:id/results": "viewer",
  "GET /console/studies/:id/quotas": "viewer",
  "GET /console/studies/:id/feasibility": "viewer",
  "GET /console/studies/:id/quotas.csv": "viewer",
  "GET /console/studies/:id/arms.csv": "viewer",
  "GET /console/studies/:id/last-change": "researcher",
  "GET /console/studies/:id/quotas/:quota": "viewer",
  "POST /console/studies/:id/quotas/:quota": "researcher",
  "GET /console/studies/:id/quotas/:quota/places.csv": "viewer",
  "POST /console/studies/:id/quotas/:quota/recount": "researcher",
  "POST /console/studies/:id/quotas/:quota/offer": "researcher",
  "GET /console/requests": "researcher",
  "GET /console/requests/:id": "researcher",
  "POST /console/requests/:id": "researcher",
  "GET /console/studies/:id/withdrawn": "viewer",
  "GET /console/studies/:id/answers/:session/erase": "admin",
  "POST /console/studies/:id/answers/:session/erase": "admin",
  "GET /console/studies/:id/answers": "viewer",
  "GET /console/studies/:id/review": "researcher",
  "POST /console/studies/:id/review": "researcher",
  "POST /console/studies/:id/review/many": "researcher",
  "GET /console/studies/:id/answers.csv": "viewer",
  "GET /console/studies/:id/download": "viewer",
  "GET /console/studies/:id/answers/:session": "viewer",
  "POST /console/studies/:id/answers/:session": "researcher",
  "GET /console/studies/:id/import": "researcher",
  "POST /console/studies/:id/import": "researcher",
  "GET /console/studies/:id/links.csv": "researcher",
  "POST /console/studies/:id/links": "researcher",
  "GET /console/files/:id": "researcher",
  "POST /console/files/:id": "researcher",
  "POST /console/files/:id/sheet": "researcher",
  "POST /console/files/:id/discard": "researcher",
  "GET /console/files/:id/wrong-rows.csv": "researcher",
  "GET /console/jobs": "viewer",
  "GET /console/jobs/:id": "viewer",
  "GET /console/jobs/:id/rows": "viewer",
  "GET /console/jobs/:id/rows.csv": "viewer",
  "POST /console/jobs/:id/apply": "researcher",
  "POST /console/jobs/:id/cancel": "researcher",
  "POST /console/jobs/:id/retry": "researcher",
  "POST /console/jobs/:id/undo": "researcher",
  "GET /console/people": "viewer",
  "GET /console/people.csv": "researcher",
  "GET /console/people/many": "researcher",
  "POST /console/people/many": "researcher",
  "GET /console/people/:id": "viewer",
  "GET /console/people/:id/export.json": "researcher",
  "GET /console/people/:id/erase": "admin",
  "POST /console/people/:id/erase": "admin",
  "POST /console/people/:id/contact": "researcher",
  "POST /console/people/:id/notes": "researcher",
  "POST /console/people/:id/notes/:note/deletion": "researcher",
  "POST /console/people/:id/links": "researcher",
  "GET /console/people/:id/links/:session/revoke": "admin",
  "POST /console/people/:id/links/:session/revoke": "admin",
  "GET /console/activity": "viewer",
  "POST /console/keys/signing": "admin",
  "GET /console/appearance": "admin",
  "POST /console/appearance": "admin",
  "GET /console/mail": "admin",
  "POST /console/mail": "admin",
  "POST /console/mail/cap": "admin",
  "GET /console/attributes": "admin",
  "POST /console/attributes": "admin",
  "GET /console/users": "admin",
  "POST /console/users": "admin",
  "POST /console/users/:id/link": "admin",
  "POST /console/users/:id/disable": "admin",
  "POST /console/users/:id/enable": "admin",
  "POST /console/users/:id/role": "admin",
  "POST /console/users/:id/two-factor": "admin",
  "POST /console/users/two-factor": "admin",
  "GET /console/sign-in/code": null,
  "POST /console/sign-in/code": null,
  "GET /console/two-factor": "viewer",
  "POST /console/two-factor": "viewer",
  "POST /console/two-factor/removal": "viewer",
  "GET /console/workspaces": "viewer",
  "POST /console/workspaces/:id": "viewer",
  "GET /console/sign-in/:secret/join": null,
  "POST /console/sign-in/:secret/join": null,
  "POST /console/users/:id/untie": "admin",
  "GET /console/webhooks": "admin",
  "POST /console/webhooks": "admin",
  "GET /console/webhooks/:id": "admin",
  "POST /console/webhooks/:id/test": "admin",
  "POST /console/webhooks/:id/status": "admin",
  "GET /console/deliveries/:id": "admin",
  "POST /console/deliveries/:id/retry": "admin",
  "GET /console/keys": "admin",
  "POST /console/keys": "admin",
  "POST /console/keys/:id/rotate": "admin",
  "GET /console/keys/:id/revoke": "admin",
  "POST /console/keys/:id/revoke": "admin",
  "GET /console/system": "admin",
  "POST /console/system/reset": "admin",
  "GET /console/installation": "operator",
  "GET /console/sessions": "viewer",
  "POST /console/sessions/notices": "viewer",
  "POST /console/sessions/:id/end": "viewer",
  "POST /console/sessions/password": "viewer",
  "GET /console{/*rest}": null,
};

const browsers = new Map<Role, ConsoleBrowser>();
for (const role of ROLES) browsers.set(role, await signedIn(service, own, role, `${role}@example.org`));
const viewer = browsers.get("viewer")!;
const operator = await signedInOperator(service, own, "viewer", "operator@example.org");

/** The text of a page, without markup. */
async function read(browser: ConsoleBrowser, path: string): Promise<string> {
  const { status, text } = await browser.get(path);
  assert.equal(status, 200, text);
  return text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

test("every page is opened by the roles that may, and by nobody else", async () => {
  const { stack } = createApp(service.context).routes;
  const routes = stack
    .filter(({ path }) => String(path).startsWith("/console"))
    .flatMap(({ methods, path }) => methods.filter((method) => method !== "HEAD").map((method) => `${method} ${path}`));
  assert.deepEqual(routes.sort(), Object.keys(PAGES).sort());
  const anyone = new ConsoleBrowser(service.url);
  for (const [route, needed] of Object.entries(PAGES)) {
    const [method = "", template = ""] = route.split(" ");
    const path = template.replace("/studies/:id", `/studies/${mine.screener}`).replace("/preview", "/preview?page=end");
    if (needed === null) continue;
    assert.match(String((await anyone.send(method, path, {})).headers.location), /^\/console\/sign-in/, route);
    for (const [role, browser] of browsers) {
      const { status } = await browser.send(method, path, {});
      if (needed === "operator") {
        assert.equal(status, 404, `${route} as ${role}`);
        assert.equal((await operator.send(method, path, {})).status, 200, route);
        continue;
      }
      const may: boolean = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      // A form without a token does nothing: that is looked at after the role. Nothing has the id ":id".
      const found = path.includes(":") || path.endsWith("people.csv") ? 404 : 200;
      assert.equal(status, !may ? 403 : method === "GET" ? found : 415, `${route} as ${role}`);
    }
  }
  assert.equal((await anyone.get("/console/nowhere")).status, 404);
});

test("a role has these scopes for the calls of the API, and writes as its user", () => {
  const scopes = (role: Role) => {
    const cookie = `console-session=${browsers.get(role)!.cookies.get("console-session")}`;
    const visitor = visitorOf(service.context, { headers: { cookie } } as Parameters<typeof visitorOf>[1])!;
    const { actor, workspaceUid, scopes } = callerOf(visitor);
    assert.deepEqual([actor.type, actor.name, workspaceUid], ["TenantUserActor", `The ${role}`, own]);
    return [...scopes];
  };
  assert.deepEqual(scopes("viewer"), ["read-without-links"]);
  assert.deepEqual(scopes("researcher"), ["read", "import", "respond", "author", "review"]);
  assert.deepEqual(scopes("admin"), ["read", "import", "respond", "author", "review", "admin"]);
});

test("no page shows anything of another workspace", async () => {
  const admin = browsers.get("admin")!;
  await signedIn(service, theirs.client.workspaceId, "admin", "them@example.org");
  for (const path of [
    "/console/studies",
    "/console/people",
    "/console/jobs",
    "/console/activity",
    "/console/users",
    "/console/system",
    "/console/sessions",
  ]) {
    const { text } = await admin.get(path);
    assert.ok(text.includes("Mine"), path);
    assert.doesNotMatch(text, /Theirs|them@/, path);
  }
  const { participant, job, session, screener } = theirs;
  for (const path of [
    `people/${participant}`,
    `people/${participant}/export.json`,
    `people/${participant}/erase`,
    `people/${mine.participant}/links/${session}/revoke`,
    `jobs/${job}`,
    `jobs/${job}/rows`,
    `jobs/${job}/rows.csv`,
    `studies/${screener}/links.csv`,
  ])
    assert.equal((await admin.get(`/console/${path}`)).status, 404, path);
  for (const path of [
    `people/${participant}/erase`,
    `people/${participant}/links/${session}/revoke`,
    `people/${participant}/contact`,
    `jobs/${job}/apply`,
    `jobs/${job}/cancel`,
    `jobs/${job}/retry`,
    `jobs/${job}/undo`,
  ])
    assert.equal((await admin.post("/console/people", {}, `/console/${path}`)).status, 404, path);
  for (const route of Object.keys(PAGES).filter((one) => one.includes("/studies/:id"))) {
    const [method = "", path = ""] = route.split(" ");
    const fields = method === "POST" ? { target: "", json: "{}", begin: "yes" } : undefined;
    const there = path.replace(":id", theirs.screener);
    const { status, text } = fields
      ? await admin.post("/console/studies/new", fields, there)
      : await admin.get(`${there}?page=end`);
    assert.notEqual(status, 200, route);
    assert.doesNotMatch(text, /Theirs/, route);
  }
});

test("studies: their state, whether the draft differs, and what is counted", async () => {
  const { client } = mine;
  const shown = async () => (await read(viewer, "/console/studies")).replace(/.*Studies Mine's study/, "");
  assert.match(
    await shown(),
    /^ Live last answer [^A]+ UTC Assigned 2 Started \d Completed \d Qualified \d Screened out 0 Version 1: \d of 10 qualified/,
  );
  const { body: content } = await client.get(`/screeners/${mine.screener}/content`);
  await client.call("PUT", `/screeners/${mine.screener}/content`, { body: { ...content, thankYou: "Thanks!" } });
  assert.match(await shown(), /^ Live Draft differs from what is published /);
  // A translation alone differs, too.
  await client.call("PUT", `/screeners/${mine.screener}/content`, { body: content });
  assert.match(await shown(), /^ Live last answer /);
  const german = `/screeners/${mine.screener}/translations/de`;
  const translate = async (text: string | null) =>
    client.call("PATCH", german, { body: { strings: [{ id: "title", text }] } });
  assert.equal((await translate("Die Studie")).status, 200);
  assert.match(await shown(), /^ Live Draft differs from what is published /);
  await translate(null);
  assert.equal((await client.delete(german)).status, 200);
  assert.match(await shown(), /^ Live last answer /);
  await client.call("PATCH", `/screeners/${mine.screener}`, { body: { acceptance: "PAUSED" } });
  assert.match(await shown(), /^ Paused /);
  await client.call("PATCH", `/screeners/${mine.screener}`, {
    body: { acceptance: "OPEN", closesAt: "2020-01-01T00:00:00Z" },
  });
  assert.match(await shown(), /^ Closed /);
  for (let i = 0; i < 20; i++) await client.post("/screeners", { title: `Draft <b>${i}</b>` });
  const first = await viewer.get("/console/studies");
  const at = (n: number) => first.text.search(new RegExp(`Draft &lt;b(?:&gt;|>)${n}&lt;`));
  assert.ok(at(0) > at(19) && at(19) > 0, "the newest is first, and its title is text");
  assert.match(first.text, /1 to 20 of 21/);
  const second = await read(viewer, /rel="next" href="([^"]+)"/.exec(first.text)![1]!);
  assert.match(second, /Mine's study/);
  assert.match(second, /21 to 21 of 21/);
  assert.match(await read(viewer, "/console/studies?page=99"), /Previous After the last of 21/);
});

test("activity: who did what, by kind and day, the newest first; and what has changed", async () => {
  const { client } = mine;
  const created = await client.post("/screeners", { title: "First <i>title</i>" });
  await client.call("PATCH", `/screeners/${created.body.id}`, {
    body: { title: "Second title" },
    headers: { "X-Action-Note": "Asked for by the board" },
  });
  const text = await read(viewer, "/console/activity?kind=studies");
  const title = "First &lt;i>title&lt;/i> → Second title";
  assert.ok(text.includes(`Mine API key changed the title of Second title . Title: ${title}`), text);
  assert.match(text, /“Asked for by the board” .* Mine API key created Second title \. What it has /);
  assert.match(text, /Mine API key published version 1 of Mine's study \./);
  assert.doesNotMatch(text, /imported people/);
  assert.match(
    await read(viewer, "/console/activity?kind=imports"),
    /imported people into [^.]+\. The job .*created: \d/,
  );
  // A job that is not there, as in a workspace that was restored as a new one, has no link.
  const { text: html } = await viewer.get("/console/activity?kind=imports");
  const links = html.match(/\/console\/jobs\/[\w-]{36}/g) ?? [];
  assert.ok(links.length > 0);
  for (const link of links) assert.equal((await viewer.get(link)).status, 200);
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE event SET job_uid = ? WHERE job_uid IS NOT NULL", crypto.randomUUID()),
  );
  const without = await viewer.get("/console/activity?kind=imports");
  assert.match(without.text, /imported people into/);
  assert.doesNotMatch(without.text, /\/console\/jobs\/[\w-]{36}/);
  await client.get("/participants?filter[email][startsWith]=nobody@", { accept: "text/csv" });
  await service.context.pool.ask(moveEvents, undefined);
  assert.match(
    await read(viewer, "/console/activity?kind=downloads"),
    /downloaded the list of people \(0 rows, CSV; filtered by email\)\./,
  );
  assert.match(await read(viewer, "/console/activity?from=2001-01-01&to=2001-01-31"), /Nothing was found/);
  const today = new Date().toISOString().slice(0, 10);
  // The days are those of the reader: in Kiribati a day begins 14 hours earlier.
  const [event] = (await client.get("/events?pagination[limit]=1")).body.items;
  const there = new Date(Date.parse(event.createdAt) + 14 * 3_600_000).toISOString().slice(0, 10);
  assert.doesNotMatch(
    await read(viewer, `/console/activity?from=${there}&to=${there}&zone=Pacific/Kiritimati`),
    /Nothing was found/,
  );
  assert.doesNotMatch(await read(viewer, `/console/activity?to=${today}&from=nonsense`), /Nothing was found/);
});

test("jobs: what became of them, with a problem that can be read; and the API call behind the page works", async () => {
  const { client } = mine;
  const people = [{ externalUid: "X-1", email: "x@example.org", name: "X" }];
  await client.import(mine.screener, [...people, ...people]);
  const { text } = await viewer.get("/console/jobs");
  const shown = text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  assert.match(shown, /Import of people (?:Failed|Done)/);
  const { body } = await client.get("/jobs?sort=-createdAt");
  const failed = body.items.find(({ status }: { status: string }) => status === "FAILED");
  assert.ok(failed, "an import with a person twice is refused");
  assert.ok(shown.includes(failed.problem.title) && shown.includes(failed.problem.errors[0].message));
  const [, url = ""] = /curl -g (?:"|&quot;)([^"&]+(?:&amp;[^"&]+)*)(?:"|&quot;)/.exec(text) ?? [];
  const { pathname, search } = new URL(url.replaceAll("&amp;", "&"));
  assert.equal((await client.get(pathname + search)).body.total, body.total);
});

test("a suspended workspace shows nothing, and says so", async () => {
  const { id } = findWorkspace(control.reader, own)!;
  await inControl(service, (db) => suspendWorkspace(db, id, Date.now()));
  const { status, text } = await viewer.get("/console/studies");
  assert.equal(status, 403);
  assert.match(text, /Workspace suspended/);
  await inControl(service, (db) => suspendWorkspace(db, id, null));
  assert.equal((await viewer.get("/console/studies")).status, 200);
});

test("an event of a newer release is shown, without words of its own", async () => {
  const { client } = await service.screener();
  const browser = await signedIn(service, client.workspaceId, "viewer", "newer@example.org");
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE event SET type = 'screener.imagined' WHERE type = 'screener.created'"),
  );
  const { status, text } = await browser.get("/console/activity");
  assert.equal(status, 200, text);
  assert.match(text, /did something for which this release has no words yet/);
});
