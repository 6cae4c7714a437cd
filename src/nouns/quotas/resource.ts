// The resources ScreenerQuota and ScreenerQuotaPlace: their JSON, their lists, and what callers send.

import * as v from "valibot";
import { readItems } from "../../../db/list/items.ts";
import { isLongMerge, type MergedDefinition, mergedSlices, readMergedPage } from "../../../db/list/merged.ts";
import { slicesByIds } from "../../../db/list/slices.ts";
import { type Filter, isPositive } from "../../../db/list/where.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { exampleAudit, exampleIds } from "../../base/examples.ts";
import {
  ANY_OPERATOR,
  audit,
  json,
  millisecondsAsTimestamp,
  nullable,
  number,
  text,
  timestamp,
  uid,
  word,
} from "../../base/members.ts";
import { type List, resource } from "../../base/resource.ts";
import { count } from "../../base/schemas.ts";
import { conditionView, places } from "../question-types/entries.ts";
import { IS_LAPSED, LAPSED_OF_QUOTA, RELEASE_REASONS } from "./place-queries.ts";
import { listQuotas } from "./queries.ts";

const STATUSES = ["OPEN", "HELD_FULL", "FULL", "PAUSED", "RETIRED"] as const;
const STATES = ["HELD", "TAKEN", "RELEASED"] as const;

export const quota = resource({
  type: "ScreenerQuota",
  from: `(SELECT q.*, q.taken + q.erased_taken AS all_taken, q.held - ${LAPSED_OF_QUOTA} AS now_held FROM screener_quota AS q) AS t
    JOIN screener AS s ON s.id = t.screener_id
    JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid"),
    name: text("t.name"),
    when: json("coalesce(t.rule, 'null')", conditionView),
    mode: word(["LIMIT", "COUNT"])("t.mode"),
    limit: nullable(number("t.max_places", count)),
    paused: json("iif(t.paused, 'true', 'false')", v.boolean(), { "": (paused) => paused as boolean }),
    taken: number("t.all_taken", count),
    held: number("t.now_held", count),
    remaining: nullable(number("max(t.max_places - t.all_taken - t.now_held, 0)", count)),
    status: word(STATUSES)(
      `CASE WHEN t.position IS NULL THEN 'RETIRED' WHEN t.paused THEN 'PAUSED' WHEN t.mode = 'COUNT' THEN 'OPEN'
         WHEN t.all_taken >= t.max_places THEN 'FULL' WHEN t.all_taken + t.now_held >= t.max_places THEN 'HELD_FULL' ELSE 'OPEN' END`,
    ),
    ...audit,
  },
  example: {
    id: exampleIds.quota,
    screenerId: exampleIds.screener,
    name: "Adults",
    when: { questionId: exampleIds.ageQuestion, atLeast: 18 },
    mode: "LIMIT",
    limit: 40,
    paused: false,
    taken: 12,
    held: 1,
    remaining: 27,
    status: "OPEN",
    ...exampleAudit,
  },
  parameters: () => [Date.now()],
});

/** The quotas of the screener with this rowid: in the order of its draft, then those that are gone from there. */
export const quotaList: List<number> = {
  ...quota,
  name: "screener-quotas",
  page: (db, _, page, screenerId) =>
    db.snapshot(() => {
      const ids = orderedIds(db, screenerId);
      const some = JSON.stringify(ids.slice(page.offset, page.offset + page.limit));
      const items = readItems(db, quota.json, BY_IDS, ...quota.parameters(), some);
      return { total: ids.length, items };
    }),
  slices: (db, _, screenerId) =>
    slicesByIds(orderedIds(db, screenerId), (reader, ids) =>
      reader.values<string>(`SELECT ${quota.json} ${BY_IDS}`, ...quota.parameters(), ids),
    ),
};

const BY_IDS = `FROM ${quota.from} JOIN json_each(?) AS j ON j.value = t.id ORDER BY j.key`;

function orderedIds(db: Reader, screenerId: number): number[] {
  return listQuotas(db, screenerId).map(({ id }) => id);
}

const place = resource({
  type: "ScreenerQuotaPlace",
  from: `(SELECT p.*, iif(${IS_LAPSED}, 'RELEASED', p.state) AS now_state FROM quota_place AS p) AS t
    JOIN screener_quota AS q ON q.id = t.quota_id
    JOIN participant AS r ON r.id = t.participant_id
    JOIN screener_session AS e ON e.id = t.session_id`,
  members: {
    id: uid("t.uid"),
    screenerQuotaId: uid("q.uid"),
    participantId: uid("r.uid"),
    screenerSessionId: uid("e.uid"),
    state: word(STATES)("t.now_state", ANY_OPERATOR),
    reason: nullable(word(RELEASE_REASONS)("iif(t.now_state = t.state, t.reason, 'LAPSED')")),
    isOverLimit: json("iif(t.is_over_limit, 'true', 'false')", v.boolean(), { "": (isOver) => isOver as boolean }),
    createdAt: timestamp("t.created_at"),
    expiresAt: nullable(millisecondsAsTimestamp("t.expires_at")),
  },
  example: {
    id: exampleIds.place,
    screenerQuotaId: exampleIds.quota,
    participantId: exampleIds.participant,
    screenerSessionId: exampleIds.session,
    state: "HELD",
    reason: null,
    isOverLimit: false,
    createdAt: "2026-01-31T12:00:00.000Z",
    expiresAt: "2026-01-31T12:30:00.000Z",
  },
  parameters: () => [Date.now()],
});

/** The places of the quota with this rowid. */
export const placeList: List<number> = {
  ...place,
  name: "screener-quota-places",
  page: (db, filters, page, quotaId) => {
    const { list, parameters } = placesNow(filters, quotaId);
    return readMergedPage(db, list, page, parameters);
  },
  longRead: (db, filters, page, quotaId) => {
    const { list, parameters } = placesNow(filters, quotaId);
    return isLongMerge(db, list) ? { list, filters: [], page, parameters } : undefined;
  },
  slices: (_, filters, quotaId) => mergedSlices(() => placesNow(filters, quotaId)),
};

/** The places of a quota that match the filters. Those that have lapsed by now are released. */
function placesNow(filters: readonly Filter[], quotaId: number): { list: MergedDefinition; parameters: number[] } {
  const now = Date.now();
  const range = (index: string, where: string, ...values: number[]) => ({
    table: `quota_place AS p INDEXED BY ${index}`,
    where: `p.quota_id = ? AND ${where}`,
    values: [quotaId, ...values],
  });
  const ranges = {
    HELD: [range("quota_place_state", "p.state = 'HELD' AND (p.expires_at IS NULL OR p.expires_at > ?)", now)],
    TAKEN: [range("quota_place_state", "p.state = 'TAKEN'")],
    RELEASED: [range("quota_place_state", "p.state = 'RELEASED'"), range("quota_place_lapse", IS_LAPSED, now)],
  };
  const states = STATES.filter((state) =>
    filters.every((filter) => filter.values.includes(state) === isPositive(filter)),
  );
  const { from, json } = place;
  return { list: { from, json, ranges: states.flatMap((state) => ranges[state]) }, parameters: [now] };
}

export const QuotaChange = v.pipe(
  v.object({ limit: v.optional(v.nullable(places)), paused: v.optional(v.boolean("must be true or false")) }),
  v.title("ScreenerQuotaChange"),
);
