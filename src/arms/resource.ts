// The resource ScreenerArm: an arm of an assignment, with the sessions that count for it now.

import { readItems } from "../../db/list/items.ts";
import { slicesByIds } from "../../db/list/slices.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { exampleIds } from "../base/examples.ts";
import { number, text, uid, word } from "../base/members.ts";
import { type List, resource } from "../base/resource.ts";
import { count } from "../base/schemas.ts";

const arm = resource({
  type: "ScreenerArm",
  // Those that are completed have no time until which they count.
  from: `(SELECT a.*, (SELECT count(*) FROM session_arm AS s WHERE s.arm_id = a.id AND s.expires_at IS NOT NULL) AS unfinished,
      (SELECT count(*) FROM session_arm AS s WHERE s.arm_id = a.id AND s.expires_at > ?) AS in_progress
    FROM screener_arm AS a) AS t JOIN screener AS s ON s.id = t.screener_id`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid"),
    assignmentId: uid("t.assignment_uid"),
    assignmentName: text("t.assignment_name"),
    name: text("t.name"),
    completed: number("t.given - t.unfinished", count),
    inProgress: number("t.in_progress", count),
    status: word(["OPEN", "RETIRED"])("iif(t.position IS NULL, 'RETIRED', 'OPEN')"),
  },
  example: {
    id: exampleIds.red,
    screenerId: exampleIds.screener,
    assignmentId: exampleIds.armAssignment,
    assignmentName: "Concept",
    name: "Red",
    completed: 12,
    inProgress: 1,
    status: "OPEN",
  },
  parameters: () => [Date.now()],
});

/** The arms of the screener with this rowid: in the order of its newest publication, then those that it lacks. */
export const armList: List<number> = {
  ...arm,
  name: "screener-arms",
  page: (db, _, page, screenerId) =>
    db.snapshot(() => {
      const ids = orderedIds(db, screenerId);
      const some = JSON.stringify(ids.slice(page.offset, page.offset + page.limit));
      return { total: ids.length, items: readItems(db, arm.json, BY_IDS, ...arm.parameters(), some) };
    }),
  slices: (db, _, screenerId) =>
    slicesByIds(orderedIds(db, screenerId), (reader, ids) =>
      reader.values<string>(`SELECT ${arm.json} ${BY_IDS}`, ...arm.parameters(), ids),
    ),
};

const BY_IDS = `FROM ${arm.from} JOIN json_each(?) AS j ON j.value = t.id ORDER BY j.key`;

function orderedIds(db: Reader, screenerId: number): number[] {
  return db.values(
    "SELECT id FROM screener_arm WHERE screener_id = ? ORDER BY position IS NULL, position, id",
    screenerId,
  );
}
