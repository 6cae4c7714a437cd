// How a participant is shown.

import * as v from "valibot";
import { audit, auditColumns, uuid } from "../schemas.ts";
import { auditSql, constantSql, objectSql, plainSql, valueSql } from "../sql-json.ts";

/** A participant's JSON, from `participantFrom`. */
export const participantJson = objectSql({
  _type: constantSql("Participant"),
  id: plainSql("t.uid"),
  externalUid: valueSql("t.external_uid"),
  email: valueSql("t.email"),
  name: valueSql("t.name"),
  ...auditSql,
});

export const participantFrom =
  "participant AS t JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by";

/** A participant as a line of a table. */
export const participantColumns = ["id", "externalUid", "email", "name", ...auditColumns];

export const ParticipantView = v.pipe(
  v.object({
    _type: v.literal("Participant"),
    id: uuid,
    externalUid: v.string(),
    email: v.nullable(v.string()),
    name: v.nullable(v.string()),
    ...audit,
  }),
  v.title("Participant"),
);
