// The resource Screener: its JSON, what callers send, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleAudit, exampleIds } from "../../base/examples.ts";
import { audit, nullable, text, timestamp, uid, word } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { changedText, instant, maxCharacters, requiredText } from "../../base/schemas.ts";

export const ACCEPTANCES = ["OPEN", "PAUSED", "CLOSED"] as const;

export const screener = resource({
  type: "Screener",
  from: `screener AS t
    JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by
    LEFT JOIN screener_publication AS p ON p.id = t.active_publication_id`,
  members: {
    id: uid("t.uid"),
    title: nullable(text("t.title")),
    description: nullable(text("t.description")),
    activePublicationId: nullable(uid("p.uid")),
    ...audit,
    acceptance: word(ACCEPTANCES)("t.acceptance"),
    opensAt: nullable(timestamp("t.opens_at")),
    closesAt: nullable(timestamp("t.closes_at")),
  },
  example: {
    id: exampleIds.screener,
    title: "Hot drinks",
    description: "Adults who drink tea or coffee",
    activePublicationId: exampleIds.publication,
    ...exampleAudit,
    acceptance: "OPEN",
    opensAt: null,
    closesAt: "2026-06-30T22:00:00.000Z",
  },
});

export const countedScreeners = { table: "screener", facets: [] } as const satisfies CountedTable;

export const screenerList = countedList("screeners", countedScreeners, screener);

const description = v.optional(v.nullable(maxCharacters(10_000)));

/** What decides whether a screener takes answers and opens sessions. */
const acceptance = {
  acceptance: v.optional(v.picklist(ACCEPTANCES, `must be one of ${ACCEPTANCES.join(", ")}`)),
  opensAt: v.optional(v.nullable(instant)),
  closesAt: v.optional(v.nullable(instant)),
};

export const AFTER_OPENING = "must be after opensAt";

type Time = string | null | undefined;

/** Whether both times may be set together. They are ISO-8601, UTC, milliseconds. */
export function isInOrder({ opensAt, closesAt }: { opensAt?: Time; closesAt?: Time }): boolean {
  return !opensAt || !closesAt || opensAt < closesAt;
}

const TIMES = [["opensAt"], ["closesAt"]] as const;

export const NewScreener = v.pipe(
  v.object({ title: requiredText(500), description, ...acceptance }),
  v.forward(v.partialCheck(TIMES, isInOrder, AFTER_OPENING), ["closesAt"]),
  v.title("NewScreener"),
);

export const ScreenerChange = v.pipe(
  v.object({ title: changedText(500), description, ...acceptance }),
  v.forward(v.partialCheck(TIMES, isInOrder, AFTER_OPENING), ["closesAt"]),
  v.title("ScreenerChange"),
);
