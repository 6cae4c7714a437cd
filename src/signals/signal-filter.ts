// The filter of sessions by the kinds of their signals.

import { ANY_OPERATOR, type FilterRule } from "../base/members.ts";
import { SIGNALS } from "./settings.ts";

/** Few sessions have one, but of a large study those few may be many, which are then looked at one by one. */
export const signalFilter = {
  operators: ANY_OPERATOR,
  values: SIGNALS,
  by: {
    column: "id",
    references: { table: "(SELECT session_id AS id, kind FROM signal)", by: "kind", many: true },
    scan: { has: "EXISTS (SELECT 1 FROM signal AS g WHERE g.session_id = t.id AND g.kind IN $)" },
  },
} as const satisfies FilterRule;

/** SQL: the kinds of the signals of a session `t`, as one text. */
export const SIGNALS_SQL = `(SELECT group_concat(kind, '; ' ORDER BY kind) FROM signal WHERE session_id = t.id)`;
