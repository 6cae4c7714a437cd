// How a publication is shown.

import * as v from "valibot";
import { audit, auditColumns, TagView, uuid } from "../schemas.ts";
import { auditSql, constantSql, objectSql, plainSql, valueSql } from "../sql-json.ts";

/** A publication's JSON, from `publicationFrom`. */
export const publicationJson = objectSql({
  _type: constantSql("ScreenerPublication"),
  id: plainSql("t.uid"),
  screenerId: plainSql("s.uid"),
  version: "t.version",
  status: plainSql("t.status"),
  targetQualifiedParticipants: valueSql("t.target_qualified_participants"),
  tags: "g.json",
  ...auditSql,
});

export const publicationFrom = `screener_publication AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN tag_set AS g ON g.id = t.tag_set_id
  JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`;

/** A publication as a line of a table. */
export const publicationColumns = [
  "id",
  "screenerId",
  "version",
  "status",
  "targetQualifiedParticipants",
  "tags",
  ...auditColumns,
];

export const PublicationView = v.pipe(
  v.object({
    _type: v.literal("ScreenerPublication"),
    id: uuid,
    screenerId: uuid,
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
    status: v.picklist(["ACTIVE", "ARCHIVED"]),
    targetQualifiedParticipants: v.nullable(v.pipe(v.number(), v.integer())),
    tags: v.array(TagView),
    ...audit,
  }),
  v.title("ScreenerPublication"),
);
