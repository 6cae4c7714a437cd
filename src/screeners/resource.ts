// The resource Screener: its JSON, what callers send, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../db/list.ts";
import { exampleAudit, exampleIds } from "../examples.ts";
import { audit, nullable, text, uid } from "../members.ts";
import { countedList, resource } from "../resource.ts";
import { changedText, maxCharacters, requiredText } from "../schemas.ts";

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
  },
  example: {
    id: exampleIds.screener,
    title: "Hot drinks",
    description: "Adults who drink tea or coffee",
    activePublicationId: exampleIds.publication,
    ...exampleAudit,
  },
});

export const countedScreeners = { table: "screener", facets: [] } as const satisfies CountedTable;

export const screenerList = countedList("screeners", countedScreeners, screener);

const description = v.optional(v.nullable(maxCharacters(10_000)));

export const NewScreener = v.pipe(v.object({ title: requiredText(500), description }), v.title("NewScreener"));

export const ScreenerChange = v.pipe(v.object({ title: changedText(500), description }), v.title("ScreenerChange"));
