// The columns of a store that may have a text.

import type { Reader } from "../../db/sqlite/connection.ts";

/** `table.column` of each column that is no number, in no order. */
export function textColumns(db: Reader): string[] {
  return db.values<string>(
    `SELECT concat(t.name, '.', c.name) FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type NOT IN ('INTEGER', 'INT', 'REAL')`,
  );
}
