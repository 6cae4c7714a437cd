// An admin can't become an operator. Which role may do what is in test/api/console-pages.test.ts, and what scopes open in the API, those
// of roles, too, in test/api/scopes.test.ts: both have a row for each route.

import assert from "node:assert/strict";
import { test } from "node:test";
import { consolePages } from "../../src/console/routes.ts";
import { signedIn, signedInOperator } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { inControl } from "../support/store.ts";

const service = await startService();
const { reader } = service.context.control;
const { workspaceId } = service.workspace();

test("an admin changes nothing of an operator's account, whatever the action; another operator does", async () => {
  const admin = await signedIn(service, workspaceId, "admin", "ada@example.org");
  const boss = await signedInOperator(service, workspaceId, "viewer", "boss@example.org");
  const other = await signedInOperator(service, workspaceId, "admin", "other@example.org");
  const row = () =>
    JSON.stringify([
      reader.get("SELECT * FROM workspace_user WHERE email = 'boss@example.org'"),
      reader.value("SELECT count(*) FROM sign_in_link"),
    ]);
  const { id, uid } = reader.get<{ id: number; uid: string }>(
    "SELECT id, uid FROM workspace_user WHERE email = 'boss@example.org'",
  )!;
  await inControl(service, (db) =>
    db.run("UPDATE workspace_user SET oidc_issuer = 'x', oidc_subject = 'y' WHERE id = ?", id),
  );
  const before = row();
  assert.doesNotMatch((await admin.get("/console/users")).text, new RegExp(`users/${uid}/`));
  const actions = consolePages.filter(
    ({ method, path }) => method === "post" && path.startsWith("/console/users/:id/"),
  );
  assert.ok(actions.length >= 4);
  for (const { path } of actions) {
    const to = path.replace(":id", uid);
    const answer = await admin.post("/console/users", { role: "admin" }, to);
    assert.match(answer.text, /is an operator of the installation: only operators change that account/, path);
    assert.equal(row(), before, path);
    assert.equal((await boss.get("/console/installation")).status, 200, path);
  }
  const linked = await other.post("/console/users", {}, `/console/users/${uid}/link`);
  assert.match(linked.text, /sign-in\/[\w-]{43}/);
  assert.equal((await other.post("/console/users", {}, `/console/users/${uid}/untie`)).status, 303);
  assert.equal((await other.post("/console/users", {}, `/console/users/${uid}/disable`)).status, 303);
  assert.match(String((await boss.get("/console/installation")).headers.location), /sign-in/);
  // Who is an operator no more is refused at once, also where the page was still open.
  await inControl(service, (db) =>
    db.run(
      "DELETE FROM operator WHERE workspace_user_id = (SELECT id FROM workspace_user WHERE email = 'other@example.org')",
    ),
  );
  assert.match((await other.post("/console/users", {}, `/console/users/${uid}/enable`)).text, /only operators/);
});
