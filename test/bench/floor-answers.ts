// The floor of the participants' page: a bare Koa handler that reads a form and commits one row, on the disk before it
// answers. A process of its own: `floor-answers.ts STORE`.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import Koa from "koa";

const [path = ""] = process.argv.slice(2);
const db = new Database(path);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec("CREATE TABLE answer (id INTEGER PRIMARY KEY, session TEXT NOT NULL, form TEXT NOT NULL) STRICT");
const insert = db.prepare("INSERT INTO answer (session, form) VALUES (?, ?)");

const koa = new Koa();
koa.use(async (ctx) => {
  insert.run(ctx.path, await text(ctx.req));
  ctx.status = 303;
  ctx.set("Location", ctx.path);
  ctx.body = "";
});

const server = koa.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
