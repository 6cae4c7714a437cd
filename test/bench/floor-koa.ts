// The reads' floors: plain Koa, without authentication, logs or checks. A process of its own: `floor-koa.ts [STORE]`.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import Database from "better-sqlite3";
import Koa from "koa";

const [path] = process.argv.slice(2);
const koa = new Koa();

if (path === undefined) {
  koa.use((ctx) => {
    ctx.body = "hello";
  });
} else {
  const db = new Database(path);
  const page = db.prepare<
    [number, number],
    Record<"uid" | "external_uid" | "email" | "name" | "created_at" | "updated_at", string | null> &
      Record<"c_type" | "c_uid" | "c_name" | "u_type" | "u_uid" | "u_name", string>
  >(
    `SELECT p.uid, p.external_uid, p.email, p.name, p.created_at, p.updated_at,
       c.type AS c_type, c.uid AS c_uid, c.name AS c_name, u.type AS u_type, u.uid AS u_uid, u.name AS u_name
     FROM participant AS p JOIN actor AS c ON c.id = p.created_by JOIN actor AS u ON u.id = p.updated_by
     ORDER BY p.id LIMIT ? OFFSET ?`,
  );
  const count = db.prepare<[], number>("SELECT count(*) FROM participant").pluck();
  const router = new Router();
  router.get("/participants", (ctx) => {
    const limit = Number(ctx.query["pagination[limit]"] ?? 100);
    const items = page.all(limit, 0).map((row) => ({
      _type: "Participant",
      id: row.uid,
      externalUid: row.external_uid,
      email: row.email,
      name: row.name,
      createdBy: { _type: row.c_type, id: row.c_uid, name: row.c_name },
      createdAt: row.created_at,
      updatedBy: { _type: row.u_type, id: row.u_uid, name: row.u_name },
      updatedAt: row.updated_at,
    }));
    ctx.type = "application/json";
    ctx.body = JSON.stringify({ _type: "PaginatedParticipant", total: count.get(), limit, offset: 0, items });
  });
  koa.use(router.routes());
}

const server = koa.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
