// An admin changes what a user may do: by the API and in the console. Sessions and tokens of the user follow at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { Client } from "../support/client.ts";
import { ConsoleBrowser, signedIn, signedInOperator } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";

const service = await startService();
const { reader } = service.context.control;

/** The id of a user, by email. */
const idOf = (email: string) => reader.value<string>("SELECT uid FROM workspace_user WHERE email = ?", email)!;

const roleOf = async (client: Client, email: string) =>
  (await client.get(`/workspace/users/${idOf(email)}`)).body.role as string;

function setRole(client: Client, email: string, role: string, headers: Record<string, string> = {}) {
  return client.call("PATCH", `/workspace/users/${idOf(email)}`, { body: { role }, headers });
}

async function eventsOf(client: Client) {
  await service.context.pool.ask(moveEvents, undefined);
  return client.all("/events?filter[type][eq]=user.role-changed");
}

test("a user with another role may do what that one allows, with pages and with tokens, from the next request on", async () => {
  const client = service.workspace();
  await signedIn(service, client.workspaceId, "admin", "ada@example.org");
  const bo = await signedIn(service, client.workspaceId, "researcher", "bo@example.org");
  const { accessToken } = await tokenFor(service, client, "The researcher");
  const make = async () => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const withToken = new Client(service.url, client.workspaceId, { apiKey: "", apiSecret: "" });
    const [page, call, keys] = await Promise.all([
      bo.get("/console/studies/new"),
      withToken.call("POST", "/screeners", { body: { title: "x" }, headers }),
      withToken.call("GET", "/workspace/users", { headers }),
    ]);
    return [page.status, call.status, keys.status];
  };
  assert.deepEqual(await make(), [200, 201, 403], "a token does no more than its user");
  assert.equal((await setRole(client, "bo@example.org", "viewer")).status, 200);
  assert.deepEqual(await make(), [403, 403, 403]);
  assert.equal((await setRole(client, "bo@example.org", "admin")).status, 200);
  assert.deepEqual(await make(), [200, 201, 200]);
  const [first, second, ...rest] = await eventsOf(client);
  assert.deepEqual(rest, []);
  assert.deepEqual(first.changes, [{ field: "role", from: "researcher", to: "viewer" }]);
  assert.deepEqual(second.changes, [{ field: "role", from: "viewer", to: "admin" }]);
});

test("the same role again changes nothing; a role that does not exist, and a stale If-Match, are refused", async () => {
  const client = service.workspace();
  await signedIn(service, client.workspaceId, "viewer", "cy@example.org");
  const read = await client.get(`/workspace/users/${idOf("cy@example.org")}`);
  const tag = read.headers.get("etag")!;
  assert.deepEqual((await setRole(client, "cy@example.org", "viewer", { "If-Match": tag })).body, read.body);
  assert.deepEqual(await eventsOf(client), []);
  const wrong = await setRole(client, "cy@example.org", "king");
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, "/role"]);
  assert.equal((await setRole(client, "cy@example.org", "researcher", { "If-Match": tag })).status, 200);
  assert.equal(
    (await setRole(client, "cy@example.org", "admin", { "If-Match": tag })).body.code,
    "precondition_failed",
  );
  assert.equal(await roleOf(client, "cy@example.org"), "researcher");
});

test("the last admin stays one: also of two who take each other's role at the same time", async () => {
  const client = service.workspace();
  const one = await signedIn(service, client.workspaceId, "admin", "one@example.org");
  const two = await signedIn(service, client.workspaceId, "admin", "two@example.org");
  const to = (email: string) => `/console/users/${idOf(email)}/role`;
  const [a, b] = await Promise.all([
    one.post("/console/users", { role: "viewer" }, to("two@example.org")),
    two.post("/console/users", { role: "viewer" }, to("one@example.org")),
  ]);
  assert.equal(
    [a, b].filter(({ status, headers }) => status === 303 && headers.location === "/console/users").length,
    1,
  );
  const roles = [await roleOf(client, "one@example.org"), await roleOf(client, "two@example.org")];
  assert.deepEqual(roles.toSorted(), ["admin", "viewer"]);
  const [last, browser] =
    roles[0] === "admin" ? (["one@example.org", one] as const) : (["two@example.org", two] as const);
  assert.equal((await setRole(client, last, "researcher")).body.code, "last_admin");
  assert.match((await browser.post("/console/users", { role: "viewer" }, to(last))).text, /can’t change your own role/);
  assert.equal(await roleOf(client, last), "admin");
});

test("nobody changes roles of another workspace, of an operator, of a user with tokens alone, or without being an admin", async () => {
  const [client, other] = [service.workspace(), service.workspace()];
  await signedIn(service, client.workspaceId, "admin", "dee@example.org");
  const stranger = await signedIn(service, other.workspaceId, "admin", "stranger@example.org");
  assert.equal((await setRole(other, "dee@example.org", "viewer")).body.code, "user_not_found");
  const to = `/console/users/${idOf("dee@example.org")}/role`;
  assert.equal((await stranger.post("/console/users", { role: "viewer" }, to)).status, 404);
  const viewer = await signedIn(service, client.workspaceId, "viewer", "eve@example.org");
  const own = `/console/users/${idOf("eve@example.org")}/role`;
  assert.equal((await viewer.post("/console/sessions", { role: "admin" }, own)).status, 403);
  await signedInOperator(service, client.workspaceId, "viewer", "root@example.org");
  assert.equal((await setRole(client, "root@example.org", "admin")).body.code, "operators_only");
  const { user } = await tokenFor(service, client, "Robot");
  const robot = await client.call("PATCH", `/workspace/users/${user.id}`, { body: { role: "admin" } });
  assert.equal(robot.body.code, "user_without_account");
  assert.equal((await new ConsoleBrowser(service.url).postRaw(to, { role: "viewer" }, {})).status, 303);
  assert.equal(await roleOf(client, "dee@example.org"), "admin");
  assert.deepEqual(await eventsOf(client), []);
});
