// What tests of the stores run in another process, to kill it: `migrate FILE [AFTER]` or `presence DIR NAME`.

import { currentVersion, type Migration, migrate, migrationsOf } from "../../db/migrate.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { openWriter } from "../../db/sqlite/open.ts";

/** The workspace's migrations, and one more, which rebuilds a table and takes a while. */
export const LATER: Migration[] = [
  ...migrationsOf("workspace"),
  {
    version: currentVersion("workspace") + 1,
    name: "999-later.sql",
    sql: [
      "CREATE TABLE later (id INTEGER PRIMARY KEY, external_uid TEXT NOT NULL) STRICT",
      "ALTER TABLE participant ADD COLUMN later TEXT",
      "UPDATE participant SET later = upper(external_uid)",
      "INSERT INTO later SELECT id, external_uid FROM participant",
      "CREATE INDEX later_external_uid ON later (external_uid)",
      "DROP INDEX screener_session_tag_set",
      "CREATE INDEX later_tags ON screener_session (tag_set_id)",
    ].join(";\n"),
  },
];

const [what, path = "", detail = ""] = import.meta.main ? process.argv.slice(2) : [];

if (what === "migrate") {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  if (detail) {
    // Dies after so many statements.
    let left = Number(detail);
    const whole = db.exec.bind(db);
    db.exec = (sql) => {
      for (const statement of sql.split(";\n")) {
        if (left-- === 0) process.kill(process.pid, "SIGKILL");
        whole(statement);
      }
    };
  }
  process.stdout.write("begins\n");
  migrate(db, "workspace", LATER);
  db.close();
} else if (what === "presence") {
  const presence = new Presence(path, detail);
  process.stdout.write("is here\n");
  setInterval(() => presence.isAlive(detail), 1000);
}
