// The resource ScreenerPublication: its JSON, what callers send, and its list.

import * as v from "valibot";
import { readItems } from "../../../db/list/items.ts";
import { slicesByKey } from "../../../db/list/slices.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { exampleAudit, exampleIds, exampleTag } from "../../base/examples.ts";
import { audit, json, nullable, number, tags, uid, word } from "../../base/members.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { type List, resource } from "../../base/resource.ts";
import { closedObject, id, requiredText, sentBack, shortArray } from "../../base/schemas.ts";

const wholeNumber = v.pipe(v.number(), v.integer());

export const publication = resource({
  type: "ScreenerPublication",
  from: `screener_publication AS t
    JOIN screener AS s ON s.id = t.screener_id
    JOIN tag_set AS g ON g.id = t.tag_set_id
    JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid"),
    version: number("t.version", v.pipe(wholeNumber, v.minValue(1))),
    status: word(["ACTIVE", "ARCHIVED"])("t.status"),
    targetQualifiedParticipants: nullable(number("t.target_qualified_participants", wholeNumber)),
    tags: tags("g.json"),
    ...audit,
    languages: json("t.languages", v.array(v.string()), { "": (value) => (value as string[]).join("; ") }),
  },
  example: {
    id: exampleIds.publication,
    screenerId: exampleIds.screener,
    version: 1,
    status: "ACTIVE",
    targetQualifiedParticipants: 100,
    tags: [exampleTag],
    ...exampleAudit,
    languages: ["en"],
  },
});

/** The publications of the screener with this rowid, newest first. Versions have no gaps, so a list page is a range of versions. */
export const publicationList: List<number> = {
  ...publication,
  name: "screener-publications",
  page: (db, _, page, screenerId) =>
    db.snapshot(() => {
      const total = latestVersion(db, screenerId);
      const items = readItems(
        db,
        publication.json,
        `FROM ${publication.from} WHERE t.screener_id = ? AND t.version <= ? ORDER BY t.version DESC LIMIT ?`,
        screenerId,
        total - page.offset,
        page.limit,
      );
      return { total, items };
    }),
  slices: (db, _, screenerId) =>
    slicesByKey(latestVersion(db, screenerId) + 1, (reader, before, rows) =>
      reader.all(
        `SELECT t.version AS key, ${publication.json} AS json FROM ${publication.from}
         WHERE t.screener_id = ? AND t.version < ? ORDER BY t.version DESC LIMIT ?`,
        screenerId,
        before,
        rows,
      ),
    ),
};

/** A screener's newest version, or 0 if it has none. */
function latestVersion(db: Reader, screenerId: number): number {
  return db.value("SELECT coalesce(max(version), 0) FROM screener_publication WHERE screener_id = ?", screenerId) ?? 0;
}

const target = v.nullable(
  v.pipe(
    v.number("must be a whole number or null"),
    v.integer("must be a whole number"),
    v.minValue(1, "must be at least 1"),
    v.maxValue(1_000_000_000, "must be at most 1000000000"),
  ),
);

const tagList = shortArray(
  v.pipe(
    closedObject({ ...sentBack("_type", "id"), category: requiredText(255), value: requiredText(255) }),
    v.title("TagInput"),
  ),
  100,
);

const changes = { targetQualifiedParticipants: v.optional(target), tags: v.optional(v.nullable(tagList)) };

export const NewPublication = v.pipe(
  closedObject({
    screenerId: id,
    ...changes,
    requireTranslations: v.optional(
      v.pipe(
        v.boolean("must be true or false"),
        v.description(
          "`true`: nothing is published while a language lacks a text, or has one that translates a former text",
        ),
      ),
    ),
  }),
  v.title("NewScreenerPublication"),
);

/** The payload of the job. */
export const PublicationPayload = v.object({
  ...NewPublication.entries,
  /** Only a draft of one of these revisions is published. */
  revisions: v.optional(v.array(wholeNumber)),
});

export const PublicationChange = v.pipe(
  closedObject({
    ...sentBack("_type", ...(Object.keys(publication.members) as (keyof typeof publication.members)[])),
    ...changes,
    status: v.optional(v.picklist(["ACTIVE", "ARCHIVED"], "must be ARCHIVED, or ACTIVE if it is active already")),
  }),
  v.title("ScreenerPublicationChange"),
);

export type TagInput = v.InferOutput<typeof tagList>[number];

/** What is wrong with the status that a publication is to get. */
export function faultsOfStatus(
  current: { status: "ACTIVE" | "ARCHIVED" },
  sent: { status?: "ACTIVE" | "ARCHIVED" | undefined },
): ProblemDetail[] {
  return sent.status === "ACTIVE" && current.status === "ARCHIVED"
    ? [{ pointer: "/status", message: "can't become ACTIVE again; publish the screener instead" }]
    : [];
}
