// How a screener is shown.

import * as v from "valibot";
import { audit, auditColumns, uuid } from "../schemas.ts";
import { auditSql, constantSql, objectSql, plainOrNullSql, plainSql, valueSql } from "../sql-json.ts";

/** A screener's JSON, from `screenerFrom`. */
export const screenerJson = objectSql({
  _type: constantSql("Screener"),
  id: plainSql("t.uid"),
  title: valueSql("t.title"),
  description: valueSql("t.description"),
  activePublicationId: plainOrNullSql("p.uid"),
  ...auditSql,
});

export const screenerFrom = `screener AS t
  JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by
  LEFT JOIN screener_publication AS p ON p.id = t.active_publication_id`;

/** A screener as a line of a table. */
export const screenerColumns = ["id", "title", "description", "activePublicationId", ...auditColumns];

export const ScreenerView = v.pipe(
  v.object({
    _type: v.literal("Screener"),
    id: uuid,
    title: v.nullable(v.string()),
    description: v.nullable(v.string()),
    activePublicationId: v.nullable(uuid),
    ...audit,
  }),
  v.title("Screener"),
);
