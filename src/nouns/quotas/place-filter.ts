// The filter of sessions by the quotas in which they have a place.

import { ANY_OPERATOR, type FilterRule } from "../../base/members.ts";

/** Of a place `p`: whether it is held or taken. Filters have no parameter for the time. */
const IS_KEPT = `(p.state = 'TAKEN' OR (p.state = 'HELD' AND (p.expires_at IS NULL OR p.expires_at > unixepoch('subsec') * 1000)))`;

const PLACES = `SELECT p.session_id AS id, q.uid FROM screener_quota AS q CROSS JOIN quota_place AS p ON p.quota_id = q.id WHERE ${IS_KEPT}`;

/** The sessions that hold or have taken a place in a quota. It may be most of a million, which are then looked at one by one. */
export const placeFilter = {
  operators: ANY_OPERATOR,
  values: "uuid",
  by: {
    column: "id",
    references: { table: `(${PLACES})`, by: "uid", many: true },
    scan: {
      has: `EXISTS (SELECT 1 FROM quota_place AS p JOIN screener_quota AS q ON q.id = p.quota_id
        WHERE p.session_id = t.id AND ${IS_KEPT} AND q.uid IN $)`,
    },
  },
} as const satisfies FilterRule;
